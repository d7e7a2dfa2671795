// A condition changes nothing.
//@ exit: 2
//@ error: an assignment in it
#include <taw.h>

int main(void) {
  int x = taw_int("x");
  int y = x +  //~ REACHED
          1;
  return y;  //~ REACHED if y = 3
}
