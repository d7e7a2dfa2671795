// Such a call is an error, so what it would enter is not reached; with enough arguments it is.
//@ flags: --cflag -std=c99
#include <taw.h>

static int two(int a, int b) {
  return a + b;  //~ UNREACHABLE
}
static int real(double d) {
  return d > 1.0;  //~ UNREACHABLE
}
static int one(int a) {
  return a;  //~ REACHED
}

int main(void) {
  int which = taw_int("which");
  int (*volatile f)() = which == 1 ? two : which == 2 ? real : one;
  return which == 3 ? f(1, 2L) : f(1);
}
