// A pointer that is an input may be any function whose address is taken and that the call fits, or none.
//@ paths: 3 completed, 1 errored
//@ labels: f g main
//@ native: none
#include <taw.h>

static void f(void) { taw_target("f"); }
static void g(void) { taw_target("g"); }
static int other(int a, double b) { return a + (int)b; }
static void never_named(void) { taw_target("never"); }

static void (*const table[2])(void) = {f, g};
int (*volatile kept)(int, double) = other;

int main(void) {
  void (*p)(void);
  taw_symbolic(&p, sizeof p, "p");
  if (taw_int("x") == 5) {
    taw_target("main");
    if (kept == 0) never_named();
    return p == table[0];
  }
  p();  //~ BUG invalid-function-pointer: where no function is
  return 0;
}
