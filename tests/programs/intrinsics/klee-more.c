// What KLEE's header has beside the common functions.
//@ paths: 1 completed, 0 errored
//@ exhaustive: false
//@ unsupported: an object at an address that the program chooses
#include <klee/klee.h>

int main(void) {
  int x = klee_int("x");
  klee_open_merge();
  klee_print_range("x", x);
  klee_close_merge();
  klee_posix_prefer_cex(&x, x == 3);
  klee_mark_global(&x);
  if (klee_get_errno()) return 2;
  if (x == 7) klee_define_fixed_object((void *)0x1000, 16);
  return 0;
}
