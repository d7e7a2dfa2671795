// Clang makes an intrinsic of modf; the loader turns it back into a call.
//@ native: -lm
//@ output: -0.25 -7
#include <math.h>
#include <stdio.h>

int main(void) {
  double whole;
  volatile double x = -7.25;
  double part = modf(x, &whole);
  printf("%g %g\n", part, whole);
  return 0;
}
