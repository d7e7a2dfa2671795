// As in the competition's files: reach_error is defined with an assertion.
//@ paths: 1 completed, 1 errored
#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void) { assert(0); }  //~ BUG assertion-failure

static void check(int condition) {
  if (!condition) reach_error();
}

int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  check(n != 1024);
  return 0;
}
