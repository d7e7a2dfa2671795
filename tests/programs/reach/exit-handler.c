// The target is in a function that runs after main: states that are about to return must not be dropped.
//@ target: label:at-exit reached
//@ target: label:destructor reached
//@ target: label:constructor reached
//@ target: label:never unreachable
#include <stdlib.h>
#include <taw.h>

static int x;

__attribute__((constructor)) static void begin(void) { taw_target("constructor"); }
__attribute__((destructor)) static void end(void) { taw_target("destructor"); }

static void handler(void) {
  if (x == 123) taw_target("at-exit");
  if (x == 200) taw_target("never");
}

int main(void) {
  atexit(handler);
  x = taw_u8("x");
  taw_assume(x < 150);
  return 0;
}
