// A constructor finds what the program begins with; then variables hold anything, or what it left in them.
//@ revisions: unknown initial
//@[unknown] flags: --entry f --globals unknown
//@[unknown] labels: changed other
//@[initial] flags: --entry f
//@[initial] labels: changed
//@[initial] rests-on: the global variables `value`, `seen` have their initial values
//@ signature: int f(void)
#include <stdlib.h>
#include <taw.h>

static int value = 1, seen;

__attribute__((constructor)) static void begin(void) {
  if (value != 1) abort();
  value = 2;
  seen = 1;
}

int f(void) {
  taw_target(value == 2 && seen ? "changed" : "other");
  return value;
}
