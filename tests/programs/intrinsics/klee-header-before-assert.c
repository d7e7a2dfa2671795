// KLEE's header goes with the C library's <assert.h>, which most programs for it include too.
//@ paths: 2 completed, 2 errored
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  int x = klee_int("x");
  if (x < 10) assert(x != 3); //~ BUG assertion-failure: x != 3
                              //~| WITNESS x == 3
  else klee_assert(x != 30); //~ BUG assertion-failure: x != 30
                             //~| WITNESS x == 30
  return 0;
}
