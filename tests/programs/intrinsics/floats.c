// Floating-point makers include infinities and NaN.
//@ labels: half infinite nan long
#include <taw.h>

int main(void) {
  float f = taw_float("f");
  if (f == 0.5f) taw_target("half");
  double d = taw_double("d");
  if (d > 1.7976931348623157e308) taw_target("infinite");
  if (d != d) taw_target("nan");
  long double l = taw_long_double("l");
  if (l == 3.0L) taw_target("long");
  return 0;
}
