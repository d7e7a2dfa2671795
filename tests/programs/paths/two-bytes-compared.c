// All orders of two bytes and their difference.
//@ brute-force
#include <taw.h>

int main(void) {
  unsigned char a = taw_u8("a"), b = taw_u8("b");
  int r = 0;
  if (a < b) r |= 1;
  if (a == b) r |= 2;
  if ((unsigned char)(a - b) > 128) r |= 4;
  if (a + b > 255) r |= 8;
  return r;
}
