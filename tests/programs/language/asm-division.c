// Division in assembly: by zero, and with a quotient that does not fit, which are one fault of the machine.
//@ sanitize: address
//@ paths: 1 completed, 2 errored
#include <stdint.h>
#include <taw.h>

int main(void) {
  uint8_t high = taw_u8("high"), low = taw_u8("low"), divisor = taw_u8("divisor");
  uint16_t n = high << 8 | low, both;
  __asm__("divb %b1" : "=a"(both) : "q"(divisor), "0"(n) : "cc");  //~ BUG division-by-zero
                                                                  //~| WITNESS divisor == 0
                                                                  //~ BUG division-overflow
                                                                  //~| WITNESS divisor != 0 && high >= divisor
  taw_assert((both & 0xff) == n / divisor && both >> 8 == n % divisor);
  return 0;
}
