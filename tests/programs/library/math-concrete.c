// Native results of libm.
//@ native: -lm
//@ output: 2 1 8 0.5 3 -4 1.41421 5
#include <math.h>
#include <stdio.h>

int main(void) {
  volatile double four = 4, zero = 0, two = 2, one = 1, half = 3.7, three = 3;
  printf("%g %g %g %g %g %g %g %g\n", sqrt(four), cos(zero), pow(two, three), exp2(-one), floor(half), floor(-half), sqrt(two), hypot(three, four));
  return 0;
}
