// Freed on one of two paths.
//@ paths: 1 completed, 1 errored
#include <stdlib.h>
#include <taw.h>

int main(void) {
  int *p = calloc(1, sizeof *p);
  if (taw_int("x") == 5) free(p);
  return *p;  //~ BUG use-after-free: read of 4 bytes in a heap block after it was freed
              //~| WITNESS x == 5
}
