// realloc wants the start of a block.
//@ paths: 0 completed, 1 errored
#include <stdlib.h>

int main(void) {
  char *volatile p = malloc(16);
  char *q = realloc(p + 4, 32);  //~ BUG invalid-free
  free(q);
  return 0;
}
