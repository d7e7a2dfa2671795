// Showing a symbolic value does not fork.
//@ paths: 1 completed, 0 errored
#include <taw.h>

int main(void) {
  int x = taw_int("x");
  taw_print("x", x);
  taw_print("constant", 42);
  return 0;
}
