// INT_MIN % -1 traps on x86 as the division does.
//@ paths: 0 completed, 1 errored
#include <limits.h>

int main(void) {
  volatile int n = INT_MIN, d = -1;
  return n % d;  //~ BUG division-overflow
}
