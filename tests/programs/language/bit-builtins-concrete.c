// The same on constants, all widths.
//@ revisions: O0 O2
//@ output: 12 3 60 8 120 efcdab8967452301 34120000 f0 1
#include <stdint.h>
#include <stdio.h>

int main(void) {
  volatile uint64_t x = 0x0123456789abcdef;
  volatile uint32_t y = 0x1234, z = 8;
  volatile uint8_t b = 15;
  printf("%d %d %d %d %d %llx %x %x %d\n", __builtin_popcountll(x & 0xffffffff) - 8 + (int)(x >> 60) , __builtin_ctz(z), __builtin_clzll(z), __builtin_ctzll(0x100), __builtin_clzll(z) * 2,
         (unsigned long long)__builtin_bswap64(x), __builtin_bswap32(y), __builtin_bitreverse8(b), __builtin_parity(z));
  return 0;
}
