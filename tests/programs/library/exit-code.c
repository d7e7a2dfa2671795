// The code of a path is what main returns or exit is given, modulo 256 natively.
//@ paths: 3 completed, 0 errored
#include <stdlib.h>
#include <taw.h>

int main(void) {
  int x = taw_int("x");
  if (x > 100) exit(3);
  if (x < -100) _Exit(4);
  return 5;
}
