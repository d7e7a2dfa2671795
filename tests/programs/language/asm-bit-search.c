// The searches for a bit find what a loop finds, for all inputs.
//@ revisions: O0 O2
//@ paths: 8 completed, 0 errored
#include <stdint.h>
#include <taw.h>

int main(void) {
  uint32_t x = taw_u8("x"), lowest, highest, zeros, count;
  taw_assume(x != 0);
  uint32_t expected = 0;
  while ((x >> expected & 1) == 0) expected++;
  __asm__("bsfl %1,%0" : "=r"(lowest) : "rm"(x) : "cc");
  taw_assert(lowest == expected);
  __asm__("tzcntl %1,%0" : "=r"(count) : "rm"(x) : "cc");
  taw_assert(count == expected);
  __asm__("bsrl %1,%0" : "=r"(highest) : "rm"(x) : "cc");
  taw_assert(x >> highest == 1);
  __asm__("lzcntl %1,%0" : "=r"(zeros) : "rm"(x) : "cc");
  taw_assert(zeros == 31 - highest);
  uint32_t turned = x;
  __asm__("rorl %b1,%0" : "+r"(turned) : "c"(expected) : "cc");
  taw_assert(turned & 1);
  return 0;
}
