// Written at i, read at j: equal exactly if i == j.
//@ paths: 2 completed, 0 errored
#include <taw.h>

int main(void) {
  char a[16] = {0};
  unsigned i = taw_u32("i"), j = taw_u32("j");
  taw_assume(i < 16 && j < 16);
  a[i] = 1;
  if (a[j]) {
    taw_assert(i == j);
    return 1;
  }
  taw_assert(i != j);
  return 0;
}
