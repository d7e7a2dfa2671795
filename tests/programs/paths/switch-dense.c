// A dense switch with fall-through.
//@ brute-force
#include <taw.h>

int main(void) {
  int n = 0;
  switch (taw_u8("x") & 7) {
    case 0: n++;
    case 1: n++; break;
    case 2: n += 2;
    case 3:
    case 4: n += 5; break;
    case 6: n = 40;
  }
  if (n > 4) n = 100;
  return n;
}
