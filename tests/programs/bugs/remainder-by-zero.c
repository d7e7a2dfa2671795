// Remainders, signed and unsigned.
//@ paths: 1 completed, 2 errored
#include <taw.h>

int main(void) {
  int a = taw_int("a");
  unsigned b = taw_uint("b");
  taw_assume(a != -1);
  volatile int x = 7 % a;        //~ BUG division-by-zero
                                 //~| WITNESS a == 0
  volatile unsigned y = 7u % b;  //~ BUG division-by-zero
                                 //~| WITNESS a != 0 && b == 0
  return x + (int)y > 100000;
}
