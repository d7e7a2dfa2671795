// realloc frees the old block.
//@ paths: 0 completed, 1 errored
#include <stdlib.h>

int main(void) {
  char *p = malloc(4), *q = p;
  p = realloc(p, 400);
  q[0] = 1;  //~ BUG use-after-free
  free(p);
  return 0;
}
