// A global has its initial value only until somebody writes it: a search that begins behind that must not take it for granted.
//@ revisions: ccbse mix symcretic
//@[ccbse] flags: --search CCBSE(RP)
//@[mix] flags: --search Mix-CCBSE(RP,0.1)
//@[symcretic] flags: --search symcretic
//@ target: label:set reached
//@ target: label:never unreachable
#include <taw.h>

static int mode, never;

static void set(int x) {
  if (x == 1234) mode = 2;
}

static void use(void) {
  if (mode == 2) taw_target("set");
  if (never) taw_target("never");
}

int main(void) {
  set(taw_int("x"));
  use();
  return 0;
}
