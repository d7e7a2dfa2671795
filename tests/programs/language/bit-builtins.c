// popcount, leading and trailing zeros, byte swap, parity, rotation, bit reversal.
//@ revisions: O0 O2 m32
//@ paths: 1 completed, 0 errored
#include <stdint.h>
#include <taw.h>

int main(void) {
  uint32_t x = taw_u32("x");
  taw_assume(x != 0);
  taw_assert(__builtin_popcount(x) + __builtin_popcount(~x) == 32);
  taw_assert(x >> (31 - __builtin_clz(x)) == 1);
  taw_assert((x >> __builtin_ctz(x) & 1) == 1);
  taw_assert(__builtin_bswap32(__builtin_bswap32(x)) == x);
  taw_assert((uint8_t)__builtin_bswap32(x) == x >> 24);
  taw_assert(__builtin_parity(x) == (__builtin_popcount(x) & 1));
  taw_assert(__builtin_rotateleft32(x, 5) == (x << 5 | x >> 27));
  taw_assert(__builtin_bitreverse32(__builtin_bitreverse32(x)) == x);
  taw_assert(__builtin_ffs((int)x) == __builtin_ctz(x) + 1);
  return 0;
}
