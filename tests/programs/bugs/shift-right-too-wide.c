// Logical and arithmetic, 64 bits.
//@ paths: 1 completed, 2 errored
#include <taw.h>

int main(void) {
  unsigned char s = taw_u8("s"), t = taw_u8("t");
  volatile uint64_t x = ~0ull >> s;  //~ BUG shift-too-wide
                                     //~| WITNESS s >= 64
  volatile int64_t y = -8ll >> t;    //~ BUG shift-too-wide
                                     //~| WITNESS s < 64 && t >= 64
  return x == 0 || y == 0;
}
