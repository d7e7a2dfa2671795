// realloc has freed the old block already.
//@ paths: 0 completed, 1 errored
#include <stdlib.h>

int main(void) {
  char *p = malloc(4), *q = p;
  p = realloc(p, 4000);
  free(q);  //~ BUG double-free
  return 0;
}
