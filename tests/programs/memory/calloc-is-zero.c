// calloc clears, for a symbolic count as well.
//@ paths: 1 completed, 0 errored
#include <stdlib.h>
#include <taw.h>

int main(void) {
  size_t n = taw_size("n"), i = taw_size("i");
  taw_assume(n > 0 && n < 10 && i < n);
  int *p = calloc(n, sizeof *p);
  taw_assert(p[i] == 0);
  free(p);
  return 0;
}
