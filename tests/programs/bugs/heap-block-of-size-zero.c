// malloc(0) gives a block without bytes.
//@ paths: 0 completed, 1 errored
#include <stdlib.h>

int main(void) {
  char *a = malloc(0);
  char x = *a;  //~ BUG out-of-bounds-read: which has 0 bytes
  free(a);
  return x;
}
