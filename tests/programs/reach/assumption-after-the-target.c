// A place is reached even if the path is not allowed to go on from it.
//@ target: label:before reached
//@ target: label:after unreachable
#include <taw.h>

int main(void) {
  int x = taw_int("x");
  if (x == 3) {
    taw_target("before");
    taw_assume(x == 4);
    taw_target("after");
  }
  return 0;
}
