// Past one object is not inside the next.
//@ native: none
//@ paths: 0 completed, 1 errored
#include <stdlib.h>

int main(void) {
  char *a = malloc(16), *b = malloc(16);
  b[0] = 1;
  a[24] = 2;  //~ BUG out-of-bounds-write
  free(a);
  free(b);
  return 0;
}
