// KLEE's first tutorial in our words: the sign of a number.
//@ paths: 3 completed, 0 errored
#include <klee/klee.h>

static int sign(int x) {
  if (x == 0) return 0;
  if (x < 0) return -1;
  return 1;
}

int main(void) {
  int a;
  klee_make_symbolic(&a, sizeof a, "a");
  return sign(a) + 1;
}
