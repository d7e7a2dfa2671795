// A variable-length array lives as long as its block.
//@ revisions: O0 O2
//@ paths: 5 completed, 0 errored
#include <taw.h>

int main(void) {
  unsigned n = taw_u32("n");
  taw_assume(n >= 1);
  taw_assume(n <= 5);
  int a[n], sum = 0;
  for (unsigned i = 0; i < n; i++) a[i] = (int)i;
  for (unsigned i = 0; i < n; i++) sum += a[i];
  taw_assert(sum == (int)(n * (n - 1) / 2));
  taw_assert(sizeof a == n * sizeof(int));
  return 0;
}
