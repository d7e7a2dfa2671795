// Concrete floating point is that of the machine.
//@ revisions: O0 O2
//@ output: 0.30000000000000004 0.100000001 1e+300 inf -2 3 1
#include <stdio.h>

int main(void) {
  volatile double a = 0.1, b = 0.2, big = 1e300;
  volatile float f = 0.1f;
  printf("%.17g %.9g %g %g %d %d %d\n", a + b, f, big, big * big, (int)-2.9, (int)3.99f, a + b != 0.3);
  return 0;
}
