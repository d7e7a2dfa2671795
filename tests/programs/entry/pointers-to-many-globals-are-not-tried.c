// Where there are many variables of a type, a path for each would be too many: that they are not tried is said.
//@ flags: --entry f
//@ signature: int f(void *p)
//@ target: label:same unknown
//@ target: label:positive reached
#include <taw.h>

int a, b, c, d, e, g;

int f(int *p) {
  if (p && *p > 0) taw_target("positive");
  if (p == &c) taw_target("same");
  return 0;
}
