// Code that nobody has may call any function whose address it can have got: what that leads to is not known.
//@ exhaustive: any
//@ native: none
//@ unsupported: function `keep_and_call`
//@ target: label:called-back unknown
//@ target: label:never unreachable
#include <taw.h>

void keep_and_call(void (*what)(void));

static void handler(void) { taw_target("called-back"); }
static void idle(void) {}

int main(void) {
  int x = taw_int("x");
  void (*what)(void) = x > 0 ? handler : idle;
  if (x > 5 && x < 3) taw_target("never");
  keep_and_call(what);
  return 0;
}
