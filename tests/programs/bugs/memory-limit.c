// A path that allocates without end meets the limit on its heap.
//@ paths: 1 completed, 1 errored
//@ native: none
#include <stdlib.h>
#include <taw.h>

int main(void) {
  if (taw_bool("greedy"))
    for (;;) {
      volatile char *p = malloc(64u << 20);  //~ BUG memory-limit
      p[0] = 1;
    }
  return 0;
}
