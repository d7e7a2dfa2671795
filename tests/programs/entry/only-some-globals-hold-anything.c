// A rule for one name is stronger than one for a pattern, and that stronger than one for all.
//@ revisions: one pattern not
//@[one] flags: --entry f --globals conf_depth=unknown
//@[one] labels: depth
//@[one] rests-on: the global variables `conf_width`, `other` have their initial values
//@[pattern] flags: --entry f --globals conf_*=unknown
//@[pattern] labels: depth width
//@[pattern] rests-on: the global variable `other` has its initial value
//@[not] flags: --entry f --globals conf_width=initial --globals unknown --globals conf_depth=initial --globals conf_*=unknown
//@[not] labels: other
//@[not] rests-on: the global variables `conf_depth`, `conf_width` have their initial values
//@ signature: int f(void)
#include <taw.h>

int conf_depth, conf_width, other;

int f(void) {
  if (conf_depth == 5) taw_target("depth");
  if (conf_width == 6) taw_target("width");
  if (other == 7) taw_target("other");
  return 0;
}
