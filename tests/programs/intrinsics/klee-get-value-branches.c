// After asking for a value both sides are still there.
//@ paths: 2 completed, 0 errored
#include <klee/klee.h>

int main(void) {
  int x = klee_int("x");
  (void)klee_get_value_i32(x);
  if (x == 1) return 1;
  return 0;
}
