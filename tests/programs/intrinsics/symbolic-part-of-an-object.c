// Only the named bytes; the rest keeps its values.
//@ revisions: O0 O2
//@[O0] paths: 3 completed, 0 errored
//@[O2] exhaustive: true
//@ labels: middle
#include <taw.h>

int main(void) {
  char a[4] = {1, 2, 3, 4};
  taw_symbolic(a + 1, 2, "middle");
  taw_assert(a[0] == 1 && a[3] == 4);
  if (a[1] == 50 && a[2] == 60) taw_target("middle");
  return 0;
}
