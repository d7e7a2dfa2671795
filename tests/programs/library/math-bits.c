// Functions on the parts of a number.
//@ revisions: O0 O2
//@ flags: --cflag=-fno-builtin-modf
//@ native: -lm
//@ output: 0.75 3 48 0.25 -7 3 1 0 1
#include <math.h>
#include <stdio.h>

int main(void) {
  int e;
  double whole, part;
  volatile double six = 6, x = -7.25, zero = 0;
  double m = frexp(six, &e);
  part = modf(x, &whole);
  printf("%g %d %g %g %g %ld %d %d %d\n", m, e, ldexp(six, 3), -part, whole, lround(2.5), isnan(zero / zero), isinf(six), isinf(1 / zero));
  return 0;
}
