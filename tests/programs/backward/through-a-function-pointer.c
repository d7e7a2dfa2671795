// The caller calls through a table.
//@ revisions: ccbse mix symcretic
//@[ccbse] flags: --search CCBSE(RP)
//@[mix] flags: --search Mix-CCBSE(RP,0.1)
//@[symcretic] flags: --search symcretic
//@ target: label:here reached
//@ target: label:never unreachable
#include <taw.h>

static void first(int x) {
  if (x > 3) taw_target("here");
}

static void second(int x) {
  if (x > 3) {
    if (x == 1) taw_target("never");
  }
}

static void (*const table[2])(int) = {first, second};

int main(void) {
  unsigned i = taw_uint("i");
  if (i < 2) table[i](taw_int("x"));
  return 0;
}
