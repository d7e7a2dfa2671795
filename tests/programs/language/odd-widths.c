// _BitInt of 33 bits and of 7.
//@ exhaustive: true
//@ revisions: O0 O2
//@ native: -std=c23
//@ flags: --cflag=-std=c23
//@ paths: 1 completed, 0 errored
#include <taw.h>

int main(void) {
  unsigned _BitInt(33) a = (unsigned _BitInt(33))taw_u64("a");
  unsigned _BitInt(33) one = 1;
  taw_assert((unsigned long long)a < 1ull << 33);
  taw_assert((unsigned _BitInt(33))(a + one) != a);
  _BitInt(7) s = (_BitInt(7))taw_int("s");
  taw_assert((int)s >= -64 && (int)s <= 63);
  unsigned _BitInt(33) top = one << 32;
  taw_assert(((a & top) == 0) | (a >= top));
  return 0;
}
