// 128 bits: carries cross the word.
//@ exhaustive: true
//@ revisions: O0 O2
//@ paths: 1 completed, 0 errored
#include <stdint.h>
#include <taw.h>

typedef unsigned __int128 u128;
typedef __int128 i128;

int main(void) {
  uint64_t a = taw_u64("a"), b = taw_u64("b");
  u128 x = (u128)a << 64 | b;
  taw_assert((uint64_t)(x >> 64) == a && (uint64_t)x == b);
  u128 y = x + 1;
  taw_assert((uint64_t)(y >> 64) == a + (b == UINT64_MAX));
  taw_assert((i128)(int64_t)a >> 64 == ((int64_t)a < 0 ? -1 : 0));
  taw_assert(x - y == (u128)-1);
  return 0;
}
