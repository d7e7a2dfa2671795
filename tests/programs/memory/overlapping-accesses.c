// A wide value, partly overwritten, read at another offset.
//@ paths: 1 completed, 0 errored
#include <stdint.h>
#include <string.h>
#include <taw.h>

int main(void) {
  unsigned char a[8];
  uint64_t x = taw_u64("x");
  uint32_t y = taw_u32("y"), z;
  memcpy(a, &x, 8);
  memcpy(a + 2, &y, 4);
  memcpy(&z, a + 1, 4);
  taw_assert(z == ((uint32_t)(x >> 8 & 0xff) | y << 8));
  memcpy(&x, a, 8);
  taw_assert((uint32_t)(x >> 16) == y);
  return 0;
}
