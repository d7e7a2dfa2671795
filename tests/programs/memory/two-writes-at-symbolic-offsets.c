// The later write wins.
//@ paths: 1 completed, 0 errored
#include <taw.h>

int main(void) {
  int a[8] = {0};
  unsigned i = taw_u32("i"), j = taw_u32("j");
  taw_assume(i < 8 && j < 8);
  a[i] = 10;
  a[j] = 20;
  taw_assert(a[j] == 20);
  taw_assert((a[i] == 20) == (i == j));
  return 0;
}
