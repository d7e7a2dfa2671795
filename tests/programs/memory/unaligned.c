// Unaligned access is fine on x86.
//@ paths: 1 completed, 0 errored
#include <stdint.h>
#include <taw.h>

int main(void) {
  unsigned char a[16] = {0};
  uint32_t x = taw_u32("x");
  unsigned i = taw_u32("i");
  taw_assume(i <= 12);
  *(volatile uint32_t *)(a + i) = x;
  taw_assert(a[i] == (uint8_t)x && a[i + 3] == x >> 24);
  taw_assert(*(volatile uint32_t *)(a + i) == x);
  return 0;
}
