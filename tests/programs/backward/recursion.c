// A function that calls itself: the place that every way passes is one of each call.
//@ revisions: ccbse mix symcretic
//@[ccbse] flags: --search CCBSE(RP)
//@[mix] flags: --search Mix-CCBSE(RP,0.1)
//@[symcretic] flags: --search symcretic
//@ target: label:bottom reached
//@ target: label:never unreachable
#include <taw.h>

static int down(unsigned n, int sum) {
  if (n == 0) {
    if (sum == 21) taw_target("bottom");
    if (sum > 5 && sum < 3) taw_target("never");
    return sum;
  }
  if (n > 6) return 0;
  return down(n - 1, sum + (int)n);
}

int main(void) {
  return down(taw_uint("n"), 0) == 99;
}
