// assert() of the C library: the path goes on where it holds.
//@ paths: 1 completed, 1 errored
#include <assert.h>
#include <taw.h>

int main(void) {
  int x = taw_int("x");
  assert(x != 42);  //~ BUG assertion-failure: x != 42
                    //~| WITNESS x == 42
  return 0;
}
