// A statement without braces stays the only one of its branch, and an `else` stays with its `if`.
//@ revisions: O0 O2
#include <taw.h>

int main(void) {
  int x = taw_int("x"), y = 0;
  if (x > 10)
    y = 1;  //~ REACHED if x == 11
            //~ UNREACHABLE if x == 10
  else if (x < -10)  //~ REACHED if x == 10
                     //~ UNREACHABLE if x == 11
    y = 2;  //~ UNREACHABLE if x == -10
  else
    if (x == 5)  //~ REACHED if x == 5
      return 3;  //~ REACHED if y == 0
    else
      y = 4;  //~ UNREACHABLE if x == 5
  if (y == 4) y++; else y--;  //~ REACHED if x == 1 && y == 4
                              //~ REACHED if x == 11 && y == 1
                              //~ UNREACHABLE if y == 5
  return y;  //~ REACHED if y == 5
             //~ UNREACHABLE if y == 4
}
