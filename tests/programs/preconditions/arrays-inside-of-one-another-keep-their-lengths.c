// A pointer into another's array is one behind which as many elements are left as its number says.
//@ flags: --entry f --array a=n --array b=m --assume=n<=3&&m<=3
//@ signature: int f(const int *a, unsigned n, const int *b, unsigned m)
//@ rests-on: `a` leads to exactly `n` elements where `f` starts
//@ rests-on: `b` leads to exactly `m` elements where `f` starts
//@ rests-on: `n<=3&&m<=3` holds where `f` starts
//@ labels: same part
#include <taw.h>

int f(const int *a, unsigned n, const int *b, unsigned m) {
  if (m == 0) return 0;
  int last = b[m - 1];
  if (a == b) {
    taw_assert(m <= n && last == a[m - 1]);
    if (m == n) taw_target("same");
    if (m < n) taw_target("part");
  }
  return last;
}
