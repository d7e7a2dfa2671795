// __builtin_*_overflow says exactly when the result does not fit.
//@ revisions: O0 O2
//@ exhaustive: true
//@ labels: add_over add_fits mul_over sub_over
#include <stdint.h>
#include <taw.h>

int main(void) {
  int32_t a = taw_i32("a"), r;
  if (__builtin_sadd_overflow(a, 1000, &r)) {
    taw_assert(a > INT32_MAX - 1000);
    taw_target("add_over");
  } else {
    taw_assert(r == a + 1000);
    taw_target("add_fits");
  }
  uint8_t u = taw_u8("u"), v;
  if (__builtin_mul_overflow(u, 3, &v)) {
    taw_assert(u > 85);
    taw_target("mul_over");
  }
  if (__builtin_sub_overflow(u, 7u, &v)) {
    taw_assert(u < 7);
    taw_target("sub_over");
  }
  return 0;
}
