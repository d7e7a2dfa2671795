// The bound is right: nothing may be reported.
//@ paths: 1 completed, 0 errored
#include <taw.h>

int main(void) {
  int a[4] = {1, 2, 3, 4};
  unsigned i = taw_u32("i");
  taw_assume(i < 4);
  a[i] = 0;
  int *end = a + 4;
  return end[-1] == 7;
}
