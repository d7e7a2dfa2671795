// The same seed gives the same numbers.
//@ output: 1 1
//@ native: none
// Natively the numbers are others.
//@ exhaustive: false
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  srand(5);
  int a = rand(), b = rand();
  srand(5);
  printf("%d %d\n", a == rand(), b == rand() && a != b);
  return 0;
}
