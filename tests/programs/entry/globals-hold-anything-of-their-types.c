// With `--globals unknown` a global variable that is not constant holds any value, static ones and those of functions too; else its initial value, which the verdict says.
//@ revisions: initial unknown
//@[initial] flags: --entry f
//@[initial] rests-on: the global variables `limit`, `f.calls`, `mode` have their initial values
//@[initial] labels: low
//@[unknown] flags: --entry f --globals unknown
//@[unknown] labels: low high odd often fixed
//@ signature: int f(int x)
#include <taw.h>

int limit = 3;
static unsigned char mode;
const int fixed = 7;

int f(int x) {
  static int calls;
  if (calls == 1000) taw_target("often");
  if (limit == fixed) taw_target("fixed");
  if (mode & 1) taw_target("odd");
  taw_target(limit > 10 ? "high" : "low");
  return limit == fixed && x == 2;
}
