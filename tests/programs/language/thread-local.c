// Thread-local variables, on the one thread.
//@ output: 3 4
#include <stdio.h>

static _Thread_local int n = 3;

int main(void) {
  int a = n++;
  printf("%d %d\n", a, n);
  return 0;
}
