// Recursion that the native stack bears is no stack overflow.
//@ output: 15000
#include <stdio.h>

static int deep(int n) { return n ? 1 + deep(n - 1) : 0; }

int main(void) {
  printf("%d\n", deep(15000));
  return 0;
}
