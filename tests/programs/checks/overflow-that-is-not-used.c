// An optimiser computes ahead: an overflow in the arm of a choice that is not taken is no error, and the path goes on.
//@ revisions: O0 O1 O2 O3
//@[O1] flags: --cflag -O1
//@[O3] flags: --cflag -O3
//@ flags: --check overflow
//@ labels: end
//@ paths: 1 completed, 0 errored
#include <limits.h>
#include <taw.h>

volatile int A = 5, B = 3;

int main(void) {
  int a = A, b = B;
  int result = a < 0 && b < 0 && a < INT_MIN - b;
  taw_target("end");
  return result;
}
