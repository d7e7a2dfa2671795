// At -O2 this becomes select instructions: one path.
//@ revisions: O0 O2
//@[O0] paths: 2 completed, 0 errored
//@[O2] exhaustive: true
#include <taw.h>

int main(void) {
  int a = taw_int("a"), b = taw_int("b");
  int m = a > b ? a : b;
  int n = a > b ? b : a;
  taw_assert(m >= n);
  int c = a < 0 ? -1 : 1;
  return c + 1;
}
