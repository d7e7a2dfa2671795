// With unknown globals *unreachable* is true for all that they may hold; with initial ones it says what it rests on.
//@ revisions: unknown initial
//@[unknown] flags: --entry f --globals unknown
//@[unknown] target: label:never unreachable
//@[unknown] target: label:seldom reached
//@[initial] flags: --entry f
//@[initial] target: label:never unreachable
//@[initial] target: label:seldom unreachable
//@[initial] rests-on: the global variable `mode` has its initial value
//@ signature: int f(int x)
#include <taw.h>

static int mode;

int f(int x) {
  if (mode == 4 && x == 3) taw_target("seldom");
  if (mode > 3 && mode < 3) taw_target("never");
  return 0;
}
