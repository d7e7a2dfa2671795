// Memory that assembly reads and writes is checked as any other.
//@ paths: 1 completed, 1 errored
//@ native: none
#include <stdint.h>
#include <taw.h>

int main(void) {
  uint32_t array[8] = {0, 10, 20, 30, 40, 50, 60, 70}, read;
  uint64_t i = taw_u64("i");
  taw_assume(i <= 8);
  __asm__("movl (%1,%2,4), %0" : "=r"(read) : "r"(array), "r"(i), "m"(array));  //~ BUG out-of-bounds-read
                                                                               //~| WITNESS i == 8
  taw_assert(read == i * 10);
  return 0;
}
