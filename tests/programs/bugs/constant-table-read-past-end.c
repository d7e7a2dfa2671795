// A read-only table has bounds too.
//@ paths: 1 completed, 1 errored
#include <taw.h>

static const unsigned char squares[] = {0, 1, 4, 9, 16};

int main(void) {
  unsigned i = taw_u32("i");
  taw_assume(i <= 5);
  return squares[i];  //~ BUG out-of-bounds-read: 1 byte at offset 5 of `squares`, which has 5 bytes
                      //~| WITNESS i == 5
}
