// Arithmetic of float and double with symbolic operands.
//@ revisions: O0 O2
//@ labels: quarter between rounding
#include <taw.h>

int main(void) {
  float f = taw_float("f");
  if (f * 4.0f == 1.0f) taw_target("quarter");
  double d = taw_double("d");
  if (d > 0.1 && d < 0.2) taw_target("between");
  if (d + 1.0 == d && d > 0 && d < 1e17) taw_target("rounding");
  return 0;
}
