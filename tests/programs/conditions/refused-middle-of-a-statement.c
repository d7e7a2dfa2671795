// In the middle of a statement there is nothing to ask before.
//@ exit: 2
//@ error: line 8 is in the middle of a statement that begins on line 7; name line 7
#include <taw.h>

int main(void) {
  int x = taw_int("x") +
          taw_int("y");  //~ REACHED if 1
  return x;
}
