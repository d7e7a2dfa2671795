// After shrinking, the tail is gone.
//@ paths: 0 completed, 1 errored
#include <stdlib.h>

int main(void) {
  char *p = malloc(16);
  p = realloc(p, 8);
  p[8] = 1;  //~ BUG out-of-bounds-write
  free(p);
  return 0;
}
