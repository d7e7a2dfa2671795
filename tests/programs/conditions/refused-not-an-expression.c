// What is no expression is shown where it ends.
//@ exit: 2
//@ error: expected expression
#include <taw.h>

int main(void) {
  int x = taw_int("x");
  int y = x +  //~ REACHED
          1;
  return y;  //~ REACHED if y ==
}
