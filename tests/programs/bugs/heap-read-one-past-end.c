// A symbolic index may be one too large; the other indices go on.
//@ paths: 1 completed, 1 errored
#include <stdlib.h>
#include <taw.h>

int main(void) {
  int *a = calloc(4, sizeof *a);
  unsigned i = taw_u32("i");
  taw_assume(i <= 4);
  int x = a[i];  //~ BUG out-of-bounds-read: 4 bytes at offset 16 of a heap block, which has 16 bytes
                 //~| WITNESS i == 4
  free(a);
  return x;
}
