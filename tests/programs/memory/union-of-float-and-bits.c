// The bits of a float.
//@ paths: 2 completed, 0 errored
//@ labels: one
#include <stdint.h>
#include <taw.h>

int main(void) {
  union {
    float f;
    uint32_t bits;
  } u;
  u.bits = taw_u32("bits");
  if (u.bits == 0x3f800000) {
    taw_assert(u.f == 1.0f);
    taw_target("one");
  }
  return 0;
}
