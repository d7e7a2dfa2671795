// A parser of three characters of a small alphabet.
//@ brute-force
#include <taw.h>

int main(void) {
  unsigned char packed = taw_u8("packed");
  taw_assume(packed < 64);
  int state = 0;
  for (int i = 0; i < 3; i++) {
    char c = "ab0."[packed >> (2 * i) & 3];
    switch (state) {
      case 0: state = c == 'a' ? 1 : c == '0' ? 2 : 3; break;
      case 1: state = c == 'b' ? 0 : 1; break;
      case 2:
        if (c == '.') state = 4;
        else if (c != '0') state = 3;
        break;
      case 4: state = c == '0' ? 4 : 3; break;
      default: return 99;
    }
  }
  return state;
}
