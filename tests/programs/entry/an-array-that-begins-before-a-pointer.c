// What is before the first element is not tried, whether or not a parameter that nothing uses may have begun there.
//@ flags: --entry f
//@ signature: int f(int *unused, int *p)
//@ exhaustive: false
//@ target: label:before unknown
#include <taw.h>

int f(int *unused, int *p) {
  if (!p) return 1;
  if (p[-1] == 5) {  //~ BUG out-of-bounds-read
    taw_target("before");
    return 2;
  }
  return 3;
}
