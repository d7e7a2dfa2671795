// Growing to a symbolic size keeps the contents that fit.
//@ paths: 1 completed, 1 errored
#include <stdlib.h>
#include <taw.h>

int main(void) {
  char *p = malloc(4);
  for (int i = 0; i < 4; i++) p[i] = (char)i;
  size_t n = taw_size("n");
  taw_assume(n >= 2 && n <= 8);
  p = realloc(p, n);
  taw_assert(p[1] == 1);
  char x = p[3];  //~ BUG out-of-bounds-read
                  //~| WITNESS n < 4
  taw_assert(x == 3);
  free(p);
  return 0;
}
