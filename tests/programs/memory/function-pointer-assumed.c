// Which function an input is may only be known by a condition.
//@ paths: 1 completed, 1 errored
//@ labels: f
//@ native: none
#include <taw.h>

static void f(void) { taw_target("f"); }

int main(void) {
  void (*p)(void);
  taw_symbolic(&p, sizeof p, "p");
  taw_assume((p == f) | (p == 0));
  p();  //~ BUG invalid-function-pointer: a call to address 0x0
        //~| COUNT 1
  return 0;
}
