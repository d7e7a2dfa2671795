// The buffer is too small: an error at the call.
//@ paths: 0 completed, 1 errored
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  char *a = malloc(4);
  sprintf(a, "%d", 12345);  //~ BUG out-of-bounds-write
  free(a);
  return 0;
}
