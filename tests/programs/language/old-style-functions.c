// Definitions without prototypes, and calls of functions declared without parameters.
//@ flags: --cflag=-std=gnu89
//@ native: -std=gnu89
//@ paths: 1 completed, 0 errored
#include <taw.h>

static int add(a, b) int a; short b; { return a + b; }
int twice();

int main() {
  taw_assert(add(3, 4) == 7);
  taw_assert(twice(2) == 4);
  return 0;
}

int twice(x) int x; { return 2 * x; }
