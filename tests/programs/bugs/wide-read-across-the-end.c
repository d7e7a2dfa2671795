// The first bytes of a wide access are inside, the last are not.
//@ paths: 1 completed, 1 errored
#include <stdlib.h>
#include <string.h>
#include <taw.h>

int main(void) {
  char *a = calloc(6, 1);
  unsigned i = taw_u32("i");
  taw_assume(i <= 3);
  int x;
  x = *(int *)(a + i);  //~ BUG out-of-bounds-read: 4 bytes at offset 3 of a heap block, which has 6 bytes
                        //~| WITNESS i == 3
  free(a);
  return x;
}
