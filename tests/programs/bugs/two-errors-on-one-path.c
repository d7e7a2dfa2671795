// After a partial error the path goes on and meets the next.
//@ paths: 1 completed, 2 errored
#include <taw.h>

int main(void) {
  int a[4] = {0};
  unsigned i = taw_u32("i"), j = taw_u32("j");
  taw_assume(i < 6 && j < 6);
  a[i] = 1;         //~ BUG out-of-bounds-write
                    //~| WITNESS i >= 4
  return a[j] > 1;  //~ BUG out-of-bounds-read
                    //~| WITNESS i < 4 && j >= 4
}
