// Two pointers of one type may point at one object, at elements of one array, and are then seen to.
//@ flags: --entry f
//@ signature: int f(int *a, int *b)
//@ labels: same other
#include <taw.h>

int f(int *a, int *b) {
  *a = 1;  //~ BUG null-dereference
  *b = 2;  //~ BUG null-dereference
  if (*a == 2) {
    taw_target("same");
    return a == b;
  }
  taw_target("other");
  return 3;
}
