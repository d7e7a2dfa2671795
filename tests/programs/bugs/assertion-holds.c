// An assertion that the path condition implies is silent.
//@ paths: 2 completed, 0 errored
#include <assert.h>
#include <taw.h>

int main(void) {
  int x = taw_int("x");
  if (x > 10) {
    assert(x > 9);
    return 1;
  }
  taw_assert(x <= 10);
  return 0;
}
