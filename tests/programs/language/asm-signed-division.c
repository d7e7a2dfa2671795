// Signed division in assembly: the quotient has to fit too. The smallest number by -1 fits in no size, and is a path of its own.
//@ sanitize: address
//@ paths: 1 completed, 3 errored
#include <stdint.h>
#include <taw.h>

int main(void) {
  int16_t n = taw_i16("n");
  int8_t divisor = taw_i8("divisor");
  uint16_t both;
  __asm__("idivb %b1" : "=a"(both) : "q"(divisor), "0"(n) : "cc");  //~ BUG division-by-zero
                                                                   //~| WITNESS divisor == 0
                                                                   //~ BUG division-overflow
                                                                   //~| WITNESS divisor != 0 && (n / divisor > 127 || n / divisor < -128)
  taw_assert((int8_t)both == n / divisor && (int8_t)(both >> 8) == n % divisor);
  return 0;
}
