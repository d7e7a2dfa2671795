// Order of evaluation and compound assignment on narrow types.
//@ revisions: O0 O2
//@ output: 44 255 -128 6 2
#include <stdio.h>

int main(void) {
  unsigned char a = 200;
  a += 100;
  unsigned char b = 0;
  b--;
  signed char c = 127;
  c++;
  int i = 1, j = (i += 2, i * 2);
  int k = 5;
  k >>= 1;
  printf("%d %d %d %d %d\n", a, b, c, j, k);
  return 0;
}
