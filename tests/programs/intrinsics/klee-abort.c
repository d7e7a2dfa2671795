// klee_abort ends the path as aborted.
//@ paths: 1 completed, 1 errored
#include <klee/klee.h>

int main(void) {
  if (klee_int("x") == 8) klee_abort();  //~ BUG abort
  return 0;
}
