// Nothing is left: no path, and nothing is decided.
//@ exit: 3
//@ paths: 0 completed, 0 errored
#include <taw.h>

int main(void) {
  taw_assume(0);
  return 1;
}
