// An input without a name is unnamed, in Taw's interface and KLEE's.
//@ paths: 4 completed, 0 errored
//@ labels: found
#include <klee/klee.h>
#include <taw.h>

int main(void) {
  int x, y;
  klee_make_symbolic(&y, sizeof y, 0);
  taw_symbolic(&x, sizeof x, 0);
  int z = klee_int(0) + klee_range(0, 5, 0) + taw_int(0) + taw_bool(0);
  if (x == 5 && y == x + 1 && z == -7) {
    taw_target("found");
    return 1;
  }
  return 0;
}
