// begin <= value < end.
//@ paths: 3 completed, 0 errored
#include <klee/klee.h>

int main(void) {
  int a = klee_range(-1, 2, "a");
  if (a == -1) return 10;
  if (a == 0) return 11;
  klee_assert(a == 1);
  return 12;
}
