// A float that does not fit the integer type is an error on request, where the program converts it, and in a constant.
//@ revisions: O0 O2
//@ flags: --check float-cast
//@ native: -fsanitize=float-cast-overflow
//@ paths: 2 completed, 2 errored
#include <taw.h>

volatile unsigned sink;

int main(void) {
  int i = taw_int("i");
  double d = i;
  taw_assume(d > -300.0 && d < 300.0);
  switch (taw_choose(3)) {
    case 0:
      sink = (unsigned char)d; //~ BUG float-cast: does not fit the integer type
                               //~| WITNESS i < 0 || i > 255
      break;
    case 1:
      sink = (unsigned)-1.0; //~ BUG float-cast
      break;
    default:
      sink = (short)d; /* always fits */
  }
  return 0;
}
