// A negative index reads before the block.
//@ paths: 1 completed, 1 errored
#include <stdlib.h>
#include <taw.h>

int main(void) {
  char *a = calloc(8, 1);
  int i = taw_int("i");
  taw_assume(i >= -1 && i < 8);
  char x = a[i];  //~ BUG out-of-bounds-read: 1 byte at offset -1 of a heap block, which has 8 bytes
                  //~| WITNESS i == -1
  free(a);
  return x;
}
