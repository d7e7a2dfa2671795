// The smallest number by -1.
//@ paths: 1 completed, 1 errored
#include <limits.h>
#include <taw.h>

int main(void) {
  int n = taw_int("n");
  int q = n / -1;  //~ BUG division-overflow: 32-bit
                   //~| WITNESS n == -2147483648
  return 0;
}
