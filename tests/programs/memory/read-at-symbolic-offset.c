// A table read at a symbolic offset: one path, the value is a function of the index.
//@ paths: 2 completed, 0 errored
//@ labels: found
#include <taw.h>

static const int squares[10] = {0, 1, 4, 9, 16, 25, 36, 49, 64, 81};

int main(void) {
  unsigned i = taw_u32("i");
  taw_assume(i < 10);
  if (squares[i] == 49) {
    taw_assert(i == 7);
    taw_target("found");
  }
  return 0;
}
