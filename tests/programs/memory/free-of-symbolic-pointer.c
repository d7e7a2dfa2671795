// One of two blocks is freed: the use of the first is an error on one path only.
//@ paths: 1 completed, 1 errored
#include <stdlib.h>
#include <taw.h>

int main(void) {
  int *p[2] = {calloc(1, 4), calloc(1, 4)};
  unsigned i = taw_u32("i");
  taw_assume(i < 2);
  free(p[i]);
  return *p[0];  //~ BUG use-after-free
                 //~| WITNESS i == 0
}
