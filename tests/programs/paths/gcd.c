// Euclid on nibbles.
//@ brute-force
#include <taw.h>

int main(void) {
  unsigned char packed = taw_u8("packed");
  unsigned a = packed & 15, b = packed >> 4;
  while (b) {
    unsigned t = a % b;
    a = b;
    b = t;
  }
  return (int)a;
}
