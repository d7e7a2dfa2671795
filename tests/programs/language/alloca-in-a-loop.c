// The stack of a loop with a variable-length array is given back in every round.
//@ revisions: O0 O2
//@ paths: 1 completed, 0 errored
#include <taw.h>

int main(void) {
  unsigned total = 0;
  for (unsigned i = 0; i < 3000; i++) {
    char block[i % 50 + 1];
    for (unsigned j = 0; j <= i % 50; j += 10) block[j] = (char)j;
    volatile char *p = block;
    total += (unsigned)p[0];
  }
  taw_assert(total == 0);
  return 0;
}
