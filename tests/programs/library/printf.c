// The formats that ordinary programs use.
//@ revisions: O0 O2 m32
//@ output: -5 5 ff FF 017 x % 3000000000 -9000000000
//@ output: [   42] [42   ] [00042] [+42] [  abc] [ab]
//@ output: 3.14 1.500000 1e+10 0.001 1.5e+00 [    2.5]
//@ output: a (null) 7 18446744073709551615 -128
#include <stdio.h>

int main(void) {
  printf("%d %u %x %X %#o %c %% %u %lld\n", -5, 5u, 255, 255, 15, 'x', 3000000000u, -9000000000ll);
  printf("[%5d] [%-5d] [%05d] [%+d] [%5s] [%.2s]\n", 42, 42, 42, 42, "abc", "abc");
  printf("%.2f %f %g %g %.1e [%7.1f]\n", 3.14159, 1.5, 1e10, 0.001, 1.5, 2.5);
  printf("%s %s %*d %llu %hhd\n", "a", (char *)0, 1, 7, ~0ull, (signed char)128);
  return 0;
}
