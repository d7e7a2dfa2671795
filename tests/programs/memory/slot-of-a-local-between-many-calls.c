// A block that runs again after many calls finds its own local, not what lies in its place.
//@ revisions: O0 O2
//@ output: 4503
#include <stdio.h>

static void __attribute__((noinline)) inc(int *p) { ++*p; }
static int __attribute__((noinline)) f(int x) {
  inc(&x);
  return x;
}

int main(void) {
  int s = 0;
  for (int n = 0; n < 3; n++) {
    {
      int a = 0;
      inc(&a);
      s += a;
    }
    for (int k = 0; k < 1500; k++) s = f(s);
  }
  printf("%d\n", s);
  return 0;
}
