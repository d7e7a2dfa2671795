// One 32-bit value of four billion.
//@ paths: 1 completed, 1 errored
#include <stdlib.h>
#include <taw.h>

int main(void) {
  unsigned x = taw_u32("x");
  if (x * 2654435761u == 0xcafebabe) abort();  //~ BUG abort
                                               //~| WITNESS x * 2654435761 % 4294967296 == 3405691582
  return 0;
}
