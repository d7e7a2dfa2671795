// What is assumed away is not explored, and a false assumption leaves no path.
//@ paths: 2 completed, 0 errored
//@ labels: small large
#include <taw.h>

int main(void) {
  int x = taw_int("x");
  taw_assume(x > 0);
  if (x < 0) taw_target("impossible");
  if (x < 10) {
    taw_target("small");
    return 0;
  }
  taw_target("large");
  if (taw_bool("b")) taw_assume(0);
  return 1;
}
