// A length that is not known is held against a size that is not known, byte for byte.
//@ paths: 1 completed, 1 errored
#include <stdlib.h>
#include <string.h>
#include <taw.h>

int main(void) {
  unsigned size = taw_u32("size"), length = taw_u32("length");
  taw_assume(size > 0 && size <= 8 && length > 0 && length <= 8);
  char *block = malloc(size);
  memset(block, 0, length);  //~ BUG out-of-bounds-write
                             //~| WITNESS length > size
  free(block);
  return 0;
}
