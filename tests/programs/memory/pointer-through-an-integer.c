// Through uintptr_t, with a tag in the low bit.
//@ revisions: O0 O2 m32
//@ paths: 1 completed, 0 errored
#include <stdint.h>
#include <taw.h>

int main(void) {
  static int x;
  x = taw_int("x");
  uintptr_t tagged = (uintptr_t)&x | 1;
  taw_assert((tagged & 1) == 1);
  taw_assert(*(int *)(tagged & ~(uintptr_t)1) == x);
  return 0;
}
