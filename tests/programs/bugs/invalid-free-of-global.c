// Neither is a global.
//@ paths: 0 completed, 1 errored
#include <stdlib.h>

static char buffer[32];

int main(void) {
  void *volatile p = buffer;
  free(p);  //~ BUG invalid-free: `buffer` is not on the heap
  return 0;
}
