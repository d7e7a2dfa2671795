// They keep their value between calls, and belong to the path.
//@ paths: 2 completed, 0 errored
#include <taw.h>

static int next(void) {
  static int n = 10;
  return n++;
}

int main(void) {
  next();
  if (taw_bool("twice")) {
    next();
    taw_assert(next() == 12);
    return 1;
  }
  taw_assert(next() == 11);
  return 0;
}
