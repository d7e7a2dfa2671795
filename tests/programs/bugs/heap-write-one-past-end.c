// The same for a write.
//@ paths: 1 completed, 1 errored
#include <stdlib.h>
#include <taw.h>

int main(void) {
  short *a = calloc(6, sizeof *a);
  unsigned i = taw_u32("i");
  taw_assume(i <= 6);
  a[i] = 1;  //~ BUG out-of-bounds-write: 2 bytes at offset 12 of a heap block, which has 12 bytes
             //~| WITNESS i == 6
  free(a);
  return 0;
}
