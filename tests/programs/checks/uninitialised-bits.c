// Bits that are masked away, not chosen or shifted out do not count.
//@ flags: --check uninit
//@ sanitize: memory
//@ paths: 1 completed, 0 errored
#include <taw.h>

struct flags {
  unsigned a : 3, b : 5, c : 24;
};

int main(void) {
  struct flags f;
  unsigned word, other, n = taw_u8("n") & 7;
  f.a = n;
  f.b = 9;
  if (f.a > 7) return 1;
  if (f.b != 9) return 2;
  other = 5;
  volatile unsigned *p = &word;
  unsigned mixed = (*p & 0xff00u) | n;
  if ((mixed & 0xff) > 7) return 3;
  if ((mixed << 24) >> 24 > 7) return 4;
  unsigned chosen = n < 8 ? other : *p;
  if (chosen != 5) return 5;
  return 0;
}
