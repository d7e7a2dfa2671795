// The rest of klee.h is accepted and changes nothing.
//@ paths: 2 completed, 0 errored
#include <klee/klee.h>

int main(void) {
  int x = klee_int("x");
  klee_prefer_cex(&x, x > 0);
  klee_warning("a warning");
  klee_warning_once("a warning");
  klee_print_expr("x is", x);
  klee_open_merge();
  int y = 0;
  if (x > 3) y = 1;
  klee_close_merge();
  return y;
}
