// A flag that the machine leaves undefined has no value to go on with.
//@ unsupported: flag
//@ paths: 0 completed, 0 errored
//@ exhaustive: false
//@ native: none
#include <stdint.h>

int main(void) {
  uint32_t a = 8, b = 2, r;
  uint8_t zero;
  __asm__("mull %4; setz %b2" : "=a"(a), "=d"(r), "=&q"(zero) : "0"(a), "r"(b) : "cc");
  return zero;
}
