// A number beyond what is tried is no number that is left out: what lies behind it is unknown, and the bound is named.
//@ flags: --entry f --array data=len
//@ signature: int f(const int *data, unsigned long len)
//@ exhaustive: false
//@ rests-on: `data` leads to exactly `len` elements where `f` starts
//@ target: label:four reached
//@ target: label:five unknown
//@ target: label:large reached
//@ target: label:never unreachable
#include <taw.h>

int f(const int *data, unsigned long len) {
  if (len > 2 && !data) taw_target("never");
  if (len == 4 && data[3] == 1) taw_target("four");
  if (len == 5 && data[4] == 1) taw_target("five");
  if (len > 1000) taw_target("large");
  return 0;
}
