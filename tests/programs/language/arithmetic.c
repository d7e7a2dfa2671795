// Every integer operator against an identity that holds for all inputs.
//@ revisions: O0 O2 m32
//@ paths: 1 completed, 0 errored
#include <stdint.h>
#include <taw.h>

int main(void) {
  uint32_t a = taw_u32("a"), b = taw_u32("b");
  taw_assume(b != 0);
  taw_assert(a / 7 * 7 + a % 7 == a);
  taw_assert((a ^ b) == ((a | b) & ~(a & b)));
  taw_assert(a + b == (a ^ b) + 2 * (a & b));
  taw_assert(a - b == a + ~b + 1);
  taw_assert((a << 3) == a * 8);
  taw_assert(a >> 4 == a / 16);
  taw_assert((int32_t)a >> 31 == -(int32_t)(a >> 31));
  taw_assert((uint32_t)(int16_t)a == ((a & 0xffffu) ^ 0x8000u) - 0x8000u);
  return 0;
}
