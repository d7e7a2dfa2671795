// No symbolic value at all: the only path is an error.
//@ paths: 0 completed, 1 errored
#include <stdlib.h>

int main(void) {
  char *a = malloc(10);
  a[10] = 1;  //~ BUG out-of-bounds-write: 1 byte at offset 10 of a heap block, which has 10 bytes
  free(a);
  return 0;
}
