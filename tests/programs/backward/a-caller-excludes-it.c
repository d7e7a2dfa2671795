// The function alone can get there; neither of its callers lets it.
//@ revisions: ccbse mix symcretic
//@[ccbse] flags: --search CCBSE(RP)
//@[mix] flags: --search Mix-CCBSE(RP,0.1)
//@[symcretic] flags: --search symcretic
//@ target: label:negative unreachable
//@ target: label:large reached
#include <taw.h>

static void take(int n) {
  if (n < 0) taw_target("negative");
  if (n > 1000) taw_target("large");
}

static void first(int x) {
  if (x > 10) take(x - 5);
}

static void second(int x) {
  take(x & 255);
}

int main(void) {
  int x = taw_int("x");
  if (x % 2) first(x);
  else second(x);
  return 0;
}
