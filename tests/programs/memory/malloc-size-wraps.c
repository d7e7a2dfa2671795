// The classic: n * size wraps, the block is too small.
//@ paths: 1 completed, 1 errored
//@ flags: --cflag=-m32
//@ native: -m32
#include <stdlib.h>
#include <taw.h>

int main(void) {
  unsigned n = taw_u32("n");
  taw_assume(n == 2 || n == 0x40000001u);
  int *p = malloc(n * sizeof *p);
  p[1] = 5;  //~ BUG out-of-bounds-write
             //~| WITNESS n == 1073741825
  free(p);
  return 0;
}
