// Elementwise min, max, abs and saturating addition become intrinsics.
//@ revisions: O0 O2
//@ paths: 1 completed, 0 errored
#include <stdint.h>
#include <taw.h>

int main(void) {
  int a = taw_i16("a"), b = taw_i16("b");
  int low = __builtin_elementwise_min(a, b), high = __builtin_elementwise_max(a, b);
  taw_assert(low <= high && low + high == a + b);
  taw_assert(__builtin_elementwise_abs(a) >= 0);
  uint8_t u = taw_u8("u");
  uint8_t s = __builtin_elementwise_add_sat(u, (uint8_t)200);
  taw_assert(s >= 200);
  uint8_t t = __builtin_elementwise_sub_sat(u, (uint8_t)200);
  taw_assert(t <= 55);
  return 0;
}
