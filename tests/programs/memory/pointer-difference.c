// The difference of two symbolic pointers into one array.
//@ paths: 1 completed, 0 errored
#include <taw.h>

int main(void) {
  int a[10];
  unsigned i = taw_u32("i"), j = taw_u32("j");
  taw_assume(i < 10 && j < 10);
  int *p = a + i, *q = a + j;
  taw_assert(p - q == (int)i - (int)j);
  taw_assert((p < q) == (i < j));
  return 0;
}
