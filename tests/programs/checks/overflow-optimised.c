// Signed overflow is found in optimised code as in the program's own, in constants too.
//@ revisions: O0 O2
//@ flags: --check overflow
//@ native: -fsanitize=signed-integer-overflow
//@ paths: 4 completed, 6 errored
#include <limits.h>
#include <taw.h>

volatile int sink;

int main(void) {
  int x = taw_int("x");
  switch (taw_choose(6)) {
    case 0:
      sink = x + 1; //~ BUG signed-overflow: the sum
                    //~| WITNESS x == 2147483647
      break;
    case 1:
      sink = INT_MAX + 1; //~ BUG signed-overflow
      break;
    case 2:
      sink = -INT_MIN; //~ BUG signed-overflow
      break;
    case 3:
      sink = -x; //~ BUG signed-overflow: the negated number
                 //~| WITNESS x == -2147483647 - 1
      break;
    case 4:
      sink = x * 2 - x; //~ BUG signed-overflow: the product
      break;
    default:
      sink = x / (x == INT_MIN ? -1 : 7); //~ BUG division-overflow
  }
  return 0;
}
