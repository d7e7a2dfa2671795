// What is known of the values of opaque functions proves paths impossible.
//@ native: -lm
//@ labels: fine
#include <math.h>
#include <taw.h>

int main(void) {
  double x = taw_double("x"), y = taw_double("y");
  double angle = atan2(y, x);
  if (sin(x) > 1.0) taw_target("sine");
  if (exp(y) < 0.0) taw_target("exponential");
  if (angle > 3.2 || angle < -3.2) taw_target("angle");
  if (fabs(floor(x)) + sqrt(y) < -1.0) taw_target("sum");
  if (cos(y) * 2.0 + 3.0 < 0.5) taw_target("scaled");
  taw_target("fine");
  return 0;
}
