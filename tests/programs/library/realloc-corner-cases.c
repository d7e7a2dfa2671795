// realloc of null allocates; a size that cannot be is refused.
//@ output: abc 1 1
//@ sanitize: undefined
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  volatile size_t huge = (size_t)-1;
  char *p = realloc(NULL, 10);
  strcpy(p, "abc");
  p = realloc(p, 20);
  void *q = malloc(huge), *r = calloc(huge, 16);
  printf("%s %d %d\n", p, q == NULL, r == NULL);
  free(p);
  return 0;
}
