// A global array.
//@ paths: 1 completed, 1 errored
#include <taw.h>

int table[5] = {1, 2, 3, 4, 5};

int main(void) {
  unsigned i = taw_u32("i");
  taw_assume(i <= 5);
  return table[i] > 5;  //~ BUG out-of-bounds-read: 4 bytes at offset 20 of `table`, which has 20 bytes
                        //~| WITNESS i == 5
}
