// __builtin_assume promises something that an input breaks.
//@ paths: 1 completed, 1 errored
//@ native: none
#include <taw.h>

int main(void) {
  int x = taw_int("x");
  __builtin_assume(x > 0);  //~ BUG assumption-violated
                            //~| WITNESS x <= 0
  return 0;
}
