// A concrete value is not symbolic, an input is, and one pinned by a store of a constant is not any more.
//@ paths: 1 completed, 0 errored
//@ native: none
#include <klee/klee.h>

int main(void) {
  int x = klee_int("x"), y = 5;
  klee_assert(klee_is_symbolic((uintptr_t)x));
  klee_assert(!klee_is_symbolic((uintptr_t)y));
  x = 3;
  klee_assert(!klee_is_symbolic((uintptr_t)x));
  return 0;
}
