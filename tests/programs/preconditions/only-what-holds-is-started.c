// An expression over parameters, globals and functions of the file holds where paths start, and a predicate with the same parameters.
//@ revisions: O0 O2
//@ flags: --entry f --assume=n<limit&&!odd(n) --requires small --assume=k!=0||n==2
//@ signature: int f(int n, unsigned char k)
//@ rests-on: `n<limit&&!odd(n)` holds where `f` starts
//@ rests-on: `k!=0||n==2` holds where `f` starts
//@ rests-on: `small` holds where `f` starts
//@[O0] rests-on: the global variable `limit` has its initial value (--globals)
//@ labels: two other
#include <taw.h>

static int limit = 10;
static int odd(int n) { return n % 2; }
long small(int n, unsigned char k) { return n > 0 && k < 200 ? 1L << 32 : 0; }

int f(int n, unsigned char k) {
  taw_assert(n > 0 && n < 10 && n % 2 == 0 && k < 200);
  if (k == 0) {
    taw_assert(n == 2);
    taw_target("two");
  } else {
    taw_target("other");
  }
  if (odd(n)) taw_target("never");
  return 100 / n;
}
