// At -O3 clang makes vectors of this loop itself; the sums must agree.
//@ revisions: O0 O3
//@[O3] flags: --cflag=-O3
//@ output: 2870 332833500 -500
#include <stdio.h>

int main(void) {
  static int a[1000], b[1000];
  volatile int n = 1000;
  int small = 0, sum = 0, low = 0;
  for (int i = 0; i < n; i++) a[i] = i * i, b[i] = i % 2 ? i : -i;
  for (int i = 0; i <= 20; i++) small += a[i];
  for (int i = 0; i < n; i++) sum += a[i];
  for (int i = 0; i < n; i++) low += b[i];
  printf("%d %d %d\n", small, sum, -low);
  return 0;
}
