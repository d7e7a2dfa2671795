// Only the start of a block can be freed.
//@ paths: 2 completed, 1 errored
#include <stdlib.h>
#include <taw.h>

int main(void) {
  char *p = malloc(16);
  unsigned i = taw_u32("i");
  taw_assume(i < 16);
  if (i != 0 && i != 3) return 0;
  free(p + i);  //~ BUG invalid-free: 3 bytes into a heap block
                //~| WITNESS i == 3
  return 1;
}
