// Everything freed.
//@ flags: --check leak
//@ paths: 1 completed, 0 errored
#include <stdlib.h>

int main(void) {
  char *p = malloc(5), *q = calloc(3, 3);
  q = realloc(q, 100);
  free(q);
  free(p);
  return 0;
}
