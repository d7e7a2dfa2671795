// Too long for the source.
//@ paths: 1 completed, 1 errored
#include <stdlib.h>
#include <string.h>
#include <taw.h>

int main(void) {
  char *from = calloc(8, 1), to[16];
  size_t n = taw_size("n");
  taw_assume(n <= 9);
  memcpy(to, from, n);  //~ BUG out-of-bounds-read
                        //~| WITNESS n == 9
  free(from);
  return 0;
}
