// A label is listed once, however often it is passed.
//@ paths: 3 completed, 0 errored
//@ labels: body
#include <taw.h>

int main(void) {
  unsigned n = taw_u32("n");
  taw_assume(n < 3);
  for (unsigned i = 0; i < n; i++) taw_target("body");
  return 0;
}
