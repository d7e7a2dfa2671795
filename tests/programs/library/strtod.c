// Decimal numbers, their ends, infinities.
//@ revisions: O0 O2 m32
//@ output: 325 x -0.1 0.5 1 inf 0 e5
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  char *a, *b;
  double x = strtod("3.25e2x", &a), y = strtod("e5", &b);
  printf("%g %s %g %g %d %g %g %s\n", x, a, atof("-0.1"), atof(" .5"), atof("0.1") == 0.1, strtod("inf", 0), y, b);
  return 0;
}
