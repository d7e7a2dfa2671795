// On request: signed addition.
//@ flags: --check overflow
//@ paths: 1 completed, 1 errored
#include <taw.h>

int main(void) {
  int a = taw_int("a");
  taw_assume(a > 0);
  int b = a + 100;  //~ BUG signed-overflow
                    //~| WITNESS a > 2147483547
  taw_assert(b > 100);
  return 0;
}
