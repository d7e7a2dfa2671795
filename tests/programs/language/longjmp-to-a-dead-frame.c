// The function that called setjmp has returned: an error of the program, not of the engine.
//@ native: none
//@ paths: 0 completed, 1 errored
#include <setjmp.h>

static jmp_buf place;
static int mark(void) { return setjmp(place); }

int main(void) {
  int r = mark();
  if (r == 0) longjmp(place, 1);  //~ BUG wild-dereference: longjmp
  return r;
}
