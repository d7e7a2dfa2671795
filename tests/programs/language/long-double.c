// x87 long double has 64 bits of mantissa.
//@ revisions: O0 O2
//@ output: 1 1 18446744073709551615 0.5
#include <stdio.h>

int main(void) {
  volatile long double one = 1.0L, tiny = 0x1p-63L;
  volatile unsigned long long max = ~0ull;
  long double l = (long double)max;
  printf("%d %d %llu %g\n", one + tiny != one, (double)(one + tiny) == 1.0, (unsigned long long)l, (double)(one / 2.0L));
  return 0;
}
