// Unsigned, 64 bits.
//@ paths: 1 completed, 1 errored
#include <taw.h>

int main(void) {
  uint64_t d = taw_u64("d");
  volatile uint64_t q = 1000u / d;  //~ BUG division-by-zero
                                    //~| WITNESS d == 0
  return q != q;
}
