// Functions have distinct addresses.
//@ revisions: O0 O2
//@ paths: 1 completed, 0 errored
#include <taw.h>

static void a(void) {}
static void b(void) { taw_print("b", 1); }

int main(void) {
  void (*volatile p)(void) = a, (*volatile q)(void) = b;
  taw_assert(p != q && p == a && p != 0);
  q();
  return 0;
}
