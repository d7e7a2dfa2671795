// A promise that the default never happens.
//@ paths: 2 completed, 1 errored
#include <taw.h>

int main(void) {
  switch (taw_u8("x")) {
    case 0: return 10;
    case 1: return 20;
    default: __builtin_unreachable();  //~ BUG reached-unreachable
                                       //~| WITNESS x > 1
  }
}
