// Without the check the conversion is as the machine's.
//@ paths: 1 completed, 0 errored
#include <taw.h>

int main(void) {
  double d = taw_double("d");
  taw_assume(d < -1.0);
  volatile unsigned u = (unsigned)d;
  return 0;
}
