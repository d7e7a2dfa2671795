// Paths through recursive calls.
//@ brute-force
#include <taw.h>

static int depth(unsigned n) {
  if (n == 0) return 0;
  if (n & 1) return 1 + depth(n >> 1);
  return depth(n >> 1);
}

int main(void) { return depth(taw_u8("n")); }
