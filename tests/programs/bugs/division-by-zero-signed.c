// One path divides by zero, the other goes on knowing that it did not.
//@ paths: 1 completed, 1 errored
//@ labels: nonzero
#include <taw.h>

int main(void) {
  int d = taw_int("d");
  int q = 100 / d;  //~ BUG division-by-zero
                    //~| WITNESS d == 0
  if (d == 0) taw_target("zero");
  taw_target("nonzero");
  return 0;
}
