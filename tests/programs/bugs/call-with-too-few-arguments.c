// A pointer without a prototype: nothing says that a parameter is missing, and the run ends there.
//@ paths: 1 completed, 1 errored
//@ flags: --cflag -std=c99
//@ native: -std=c99
#include <taw.h>

static int one(int a) { return a; }
static int two(int a, int b) { return a + b; }

int main(void) {
  int (*volatile f)() = taw_bool("pick") ? two : one;
  return f(1) != 1;  //~ BUG invalid-function-pointer: two has 2 parameters, and the call passes 1
}
