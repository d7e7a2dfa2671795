// The same with a use after the inner block: the array is alive.
//@ revisions: O0 O2
//@ output: fine
#include <stdio.h>

static void __attribute__((noinline)) inc(int *p) { ++*p; }

int main(void) {
  for (int n = 1; n < 3000; n++) {
    int v[n % 2 + 1];
    v[0] = n;
    {
      int x = 0;
      inc(&x);
    }
    if (v[0] != n) {
      printf("v[0] is %d instead of %d\n", v[0], n);
      return 1;
    }
  }
  puts("fine");
  return 0;
}
