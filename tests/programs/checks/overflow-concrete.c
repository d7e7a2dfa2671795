// A counter runs over.
//@ flags: --check overflow
//@ paths: 0 completed, 1 errored
#include <limits.h>

int main(void) {
  volatile int n = INT_MAX - 2;
  for (int i = 0; i < 5; i++) n = n + 1;  //~ BUG signed-overflow
  return 0;
}
