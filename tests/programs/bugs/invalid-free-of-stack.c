// A local is not on the heap.
//@ paths: 0 completed, 1 errored
//@ native: -Wno-free-nonheap-object
#include <stdlib.h>

int main(void) {
  int x[4];
  void *volatile p = x;
  free(p);  //~ BUG invalid-free: `x` is not on the heap
  return 0;
}
