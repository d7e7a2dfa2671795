// A file whose lines are those of another cannot be taken apart by lines.
//@ exit: 2
//@ error: #line directives
#include <taw.h>

int main(void) {
  int x = taw_int("x");
  return x;  //~ REACHED if x == 3
}
#line 100
static int unused;
