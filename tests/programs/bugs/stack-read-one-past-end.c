// An array on the stack.
//@ paths: 1 completed, 1 errored
#include <taw.h>

int main(void) {
  int a[3] = {1, 2, 3};
  unsigned i = taw_u32("i");
  taw_assume(i < 4);
  return a[i] > 3;  //~ BUG out-of-bounds-read
                    //~| WITNESS i == 3
}
