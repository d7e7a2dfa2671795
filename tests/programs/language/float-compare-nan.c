// Every comparison with NaN is false but one.
//@ revisions: O0 O2
//@ paths: 1 completed, 0 errored
#include <taw.h>

int main(void) {
  double x = taw_double("x");
  taw_assume(x != x);
  taw_assert(!(x < 1.0) & !(x > 1.0) & !(x == x) & !(x <= x));
  return 0;
}
