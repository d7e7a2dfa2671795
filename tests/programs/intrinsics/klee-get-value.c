// A possible value, without constraining the path to it.
//@ paths: 1 completed, 0 errored
//@ native: none
//@ exhaustive: false
#include <klee/klee.h>

int main(void) {
  int x = klee_int("x");
  klee_assume(x > 100);
  klee_assert(klee_get_value_i32(x) > 100);
  klee_assert(!klee_is_symbolic((uintptr_t)klee_get_valuel(x)));
  return x == 5000;
}
