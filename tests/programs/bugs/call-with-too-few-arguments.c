// A pointer of another type: a parameter would have no value, and the run ends there.
//@ paths: 1 completed, 1 errored
#include <taw.h>

static int one(int a) { return a; }
static int two(int a, int b) { return a + b; }

int main(void) {
  int (*volatile f)(int) = taw_bool("pick") ? (int (*)(int))two : one;
  return f(1) != 1;  //~ BUG invalid-function-pointer: two has 2 parameters, and the call passes 1
}
