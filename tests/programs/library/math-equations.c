// Exact equations of floats with products and opaque functions: no theory decides them, the search does.
//@ native: -lm
//@ revisions: seed0 seed1 seed2 seed3
//@[seed0] flags: --seed 0
//@[seed1] flags: --seed 1
//@[seed2] flags: --seed 2
//@[seed3] flags: --seed 3
//@ labels: curve product both identity
//@ exhaustive: any
#include <math.h>
#include <taw.h>

int main(void) {
  double x = taw_double("x"), y = taw_double("y");
  if (sin(x) + cos(y) == 0.75) taw_target("curve");
  if (x * y == 10.5 && x > 3.0 && x < 4.0) taw_target("product");
  if (1e4 * x * y == 1.0 && exp(-x) + exp(-y) == 1.0001) taw_target("both");
  if (x != 0.0 && pow(x, 2.0) == x + y && y > 5.0) taw_target("identity");
  return 0;
}
