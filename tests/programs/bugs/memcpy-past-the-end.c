// A symbolic length that may be too long for the target.
//@ paths: 1 completed, 1 errored
#include <stdlib.h>
#include <string.h>
#include <taw.h>

int main(void) {
  char from[16] = "0123456789abcde", *to = malloc(8);
  size_t n = taw_size("n");
  taw_assume(n <= 9);
  memcpy(to, from, n);  //~ BUG out-of-bounds-write
                        //~| WITNESS n == 9
  free(to);
  return 0;
}
