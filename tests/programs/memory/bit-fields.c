// Neighbouring bit-fields do not disturb each other; signed ones extend.
//@ revisions: O0 O2 m32
//@ paths: 1 completed, 0 errored
#include <taw.h>

struct flags {
  unsigned a : 3;
  int b : 5;
  unsigned c : 9;
  unsigned long long d : 33;
};

int main(void) {
  struct flags f = {1, -1, 300, 1ull << 32};
  unsigned x = taw_u32("x");
  f.a = x;
  taw_assert(f.a == (x & 7));
  taw_assert(f.b == -1 && f.c == 300 && f.d == 1ull << 32);
  f.b = (int)x;
  taw_assert(f.b == (int)(x << 27) >> 27);
  f.c++;
  taw_assert(f.c == 301 && f.a == (x & 7));
  return 0;
}
