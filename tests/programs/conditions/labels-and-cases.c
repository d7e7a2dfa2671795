// Who comes by a label or a case passes the condition of the statement behind it.
//@ revisions: O0 O2
#include <taw.h>

int main(void) {
  int x = taw_int("x"), y = 0;
  switch (x) {  //~ REACHED if x == 77
    case 1: y = 3; break;  //~ REACHED if x == 1
                           //~ UNREACHABLE if x == 2
    case 2:
      y = 4;  //~ REACHED if x == 2
              //~ UNREACHABLE if x == 1
    case 3: y += 10;  //~ REACHED if y == 4
                      //~ REACHED if y == 0 && x == 3
                      //~ UNREACHABLE if y == 3
    default:;  //~ REACHED if y == 14
               //~ UNREACHABLE if x == 1
  }
again:
  y--;  //~ REACHED if y == -5 && x == 3
  if (y > 0) goto again;
  if (x == 3 && y > -6) goto again;  //~ UNREACHABLE if x == 3 && y > 9
  return 0;
}
