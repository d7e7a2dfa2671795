// Each operand of && and || is a branch.
//@ brute-force
#include <taw.h>

int main(void) {
  unsigned char x = taw_u8("x");
  int a = x & 1, b = x & 2, c = x & 4, d = x & 8;
  int r = (a && b) || (c && !d);
  return r ? 1 : 0;
}
