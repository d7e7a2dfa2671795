// A global array, written.
//@ paths: 1 completed, 1 errored
#include <taw.h>

static char buffer[16];

int main(void) {
  unsigned char i = taw_u8("i");
  taw_assume(i <= 16);
  buffer[i] = 'x';  //~ BUG out-of-bounds-write: 1 byte at offset 16 of `buffer`, which has 16 bytes
                    //~| WITNESS i == 16
  return buffer[0];
}
