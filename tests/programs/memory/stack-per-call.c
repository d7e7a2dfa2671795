// Each call has its own locals.
//@ revisions: O0 O2
//@ paths: 1 completed, 0 errored
#include <taw.h>

static int sum(const int *outer, int n) {
  int local = *outer + 1;
  return n ? sum(&local, n - 1) + *outer : local;
}

int main(void) {
  int x = taw_int("x");
  taw_assume(x >= 0 && x < 100);
  taw_assert(sum(&x, 3) == 4 * x + 7);
  return 0;
}
