// By the width or more.
//@ paths: 1 completed, 1 errored
#include <taw.h>

int main(void) {
  unsigned s = taw_uint("s");
  unsigned x = 1u << s;  //~ BUG shift-too-wide
                         //~| WITNESS s >= 32
  return x == 0;
}
