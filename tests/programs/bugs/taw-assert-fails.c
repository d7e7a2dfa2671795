// taw_assert splits the failing share off.
//@ paths: 1 completed, 1 errored
//@ labels: after
#include <taw.h>

int main(void) {
  unsigned char x = taw_u8("x");
  taw_assert(x < 200);  //~ BUG assertion-failure
                        //~| WITNESS x >= 200
  taw_assert(x < 200);
  taw_target("after");
  return 0;
}
