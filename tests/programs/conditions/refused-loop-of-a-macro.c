// What comes round in the middle of a macro cannot be asked.
//@ exit: 2
//@ error: the loop on line 10 is written by a macro
#include <taw.h>

#define EACH(i, n) for (int i = 0; i < (n); i++)

int main(void) {
  int x = taw_int("x");
  EACH(i, 3) {  //~ REACHED if x == 3
    x++;
  }
  return x;
}
