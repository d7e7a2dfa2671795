// The place is the innermost line, not the call.
//@ paths: 1 completed, 1 errored
#include <taw.h>

static int at(const int *p, int i) {
  return p[i];  //~ BUG out-of-bounds-read: 4 bytes at offset 8 of `a`, which has 8 bytes
}

int main(void) {
  int a[2] = {5, 6}, i = taw_int("i");
  taw_assume(i >= 0 && i <= 2);
  return at(a, i) > 6;
}
