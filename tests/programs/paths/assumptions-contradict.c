// No path gets past the assumptions: nothing is shown, and that is no success.
//@ exit: 3
//@ paths: 0 completed, 0 errored
#include <taw.h>

int main(void) {
  int x = taw_int("x");
  taw_assume(x > 0);
  taw_assume(x < 0);
  taw_assert(0);
}
