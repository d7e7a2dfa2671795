// Where a call returns to is the same for every call from the same place, and another for another place.
//@ revisions: O0 O2 m32
//@ paths: 1 completed, 0 errored
#include <stdio.h>

static __attribute__((noinline)) void *here(void) { return __builtin_return_address(0); }
static __attribute__((noinline)) void *outer(void) {
  void *address = __builtin_return_address(0);
  __asm__ volatile("");
  return address;
}

int main(void) {
  void *seen[3];
  for (volatile int i = 0; i < 3; i++) seen[i] = here();
  void *other = outer();
  printf("%d %d %d\n", seen[0] == seen[1] && seen[1] == seen[2], seen[0] != other, seen[0] != (void *)here);
  return 0;
}
