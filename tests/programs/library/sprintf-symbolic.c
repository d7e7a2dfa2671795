// Printing a symbolic number into memory keeps every path.
//@ exhaustive: true
//@ labels: seven answer
#include <stdio.h>
#include <taw.h>

int main(void) {
  unsigned char x = taw_u8("x");
  char text[8];
  sprintf(text, "%d", x);
  if (text[0] == '7') taw_target("seven");
  if (text[0] == '4' && text[1] == '2' && text[2] == 0) {
    taw_assert(x == 42);
    taw_target("answer");
  }
  return 0;
}
