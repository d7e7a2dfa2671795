// The only path.
//@ paths: 0 completed, 1 errored
#include <assert.h>

int main(void) {
  assert(1 + 1 == 3);  //~ BUG assertion-failure: 1 + 1 == 3
  return 0;
}
