// An address where nothing is.
//@ paths: 0 completed, 1 errored
#include <stdlib.h>

int main(void) {
  void *volatile p = (void *)0x1234567;
  free(p);  //~ BUG invalid-free: 0x1234567
  return 0;
}
