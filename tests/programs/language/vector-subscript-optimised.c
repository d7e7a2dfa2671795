// An optimiser reads elements ahead of the condition that they are there: that is no error, and what is read is what the
// machine reads.
//@ revisions: O2
//@ paths: 1 completed, 0 errored
#include <taw.h>

typedef unsigned char v8 __attribute__((vector_size(8)));

int main(void) {
  v8 v = {10, 20, 30, 40, 50, 60, 70, 80};
  unsigned k = taw_u8("k");
  unsigned element = k < 8 ? v[k] : 0;
  taw_assert(element == (k < 8 ? 10 * (k + 1) : 0));
  return 0;
}
