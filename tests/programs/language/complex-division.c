// Division of complex numbers is a call into the compiler's library.
//@ output: -0.2 0.4
#include <complex.h>
#include <stdio.h>

int main(void) {
  volatile double complex a = 1 + 2 * I, b = 3 - 4 * I;
  double complex c = a / b;
  printf("%g %g\n", creal(c), cimag(c));
  return 0;
}
