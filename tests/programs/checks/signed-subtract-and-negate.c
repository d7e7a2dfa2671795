// Subtraction and negation.
//@ flags: --check overflow
//@ paths: 1 completed, 2 errored
#include <taw.h>

int main(void) {
  int a = taw_int("a"), b = taw_int("b");
  taw_assume(a <= 0 && b >= 0);
  volatile int c = a - b;  //~ BUG signed-overflow
  volatile int d = -a;     //~ BUG signed-overflow
                           //~| WITNESS a == -2147483648
  return 0;
}
