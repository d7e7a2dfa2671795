// The inner branch can never be taken; the lines around it can.
#include <taw.h>

int main(void) {
  int x = taw_int("x");
  if (x > 10) {
    if (x < 5)
      return 1;  //~ UNREACHABLE
    return 2;    //~ REACHED
  }
  return 0;
}
