// An array on the stack.
//@ paths: 1 completed, 1 errored
#include <taw.h>

int main(void) {
  int a[3] = {1, 2, 3};
  unsigned i = taw_u32("i");
  taw_assume(i < 4);
  return a[i] > 3;  //~ BUG out-of-bounds-read: 4 bytes at offset 12 of `a`, which has 12 bytes
                    //~| WITNESS i == 3
}
