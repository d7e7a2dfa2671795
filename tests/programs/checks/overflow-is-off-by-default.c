// Not requested: wraps silently.
//@ paths: 2 completed, 0 errored
//@ labels: wrapped
//@ native: -fno-sanitize=signed-integer-overflow -fwrapv
#include <taw.h>

int main(void) {
  int a = taw_int("a");
  taw_assume(a > 0);
  if (a + 100 < 0) taw_target("wrapped");
  return 0;
}
