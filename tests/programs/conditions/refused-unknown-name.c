// A name that is not in scope is shown at its column.
//@ exit: 2
//@ error: use of undeclared identifier 'yy'
#include <taw.h>

int main(void) {
  int x = taw_int("x");
  int y = x +  //~ REACHED
          1;
  return y;  //~ REACHED if x > 2 && yy == 3
}
