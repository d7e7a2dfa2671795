// A value below n.
//@ paths: 3 completed, 0 errored
#include <klee/klee.h>

int main(void) {
  uintptr_t c = klee_choose(3);
  if (c == 0) return 0;
  if (c == 1) return 1;
  klee_assert(c == 2);
  return 2;
}
