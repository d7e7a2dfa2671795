// The inner branch contradicts the outer: three paths, not four.
//@ paths: 3 completed, 0 errored
//@ labels: low mid high
#include <taw.h>

int main(void) {
  int x = taw_int("x");
  if (x < 10) {
    taw_target("low");
    if (x > 20) taw_target("impossible");
  } else if (x < 1000) {
    taw_target("mid");
  } else {
    taw_target("high");
  }
  return 0;
}
