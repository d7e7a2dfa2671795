// Sign matters.
//@ brute-force
#include <taw.h>

int main(void) {
  signed char a = taw_i8("a"), b = taw_i8("b");
  int r = 0;
  if (a < 0) r |= 1;
  if (b < a) r |= 2;
  if (a * b > 1000) r |= 4;
  if ((signed char)(a + b) != a + b) r |= 8;
  return r;
}
