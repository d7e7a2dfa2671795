// klee_assume prunes; klee_assert is an assertion.
//@ paths: 1 completed, 1 errored
#include <klee/klee.h>

int main(void) {
  int a = klee_int("a");
  klee_assume((a > 5) & (a < 9));
  klee_assert(a != 7);  //~ BUG assertion-failure: a != 7
                        //~| WITNESS a == 7
  return 0;
}
