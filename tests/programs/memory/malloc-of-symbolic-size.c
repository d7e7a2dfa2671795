// The bounds of a block of symbolic size are symbolic.
//@ paths: 1 completed, 1 errored
#include <stdlib.h>
#include <taw.h>

int main(void) {
  size_t n = taw_size("n");
  taw_assume(n >= 4 && n <= 20);
  char *p = malloc(n);
  p[3] = 1;
  p[7] = 1;  //~ BUG out-of-bounds-write
             //~| WITNESS n < 8
  free(p);
  return 0;
}
