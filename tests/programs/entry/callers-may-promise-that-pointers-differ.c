// With --alias none no two pointers point at one object.
//@ flags: --entry f --alias none
//@ signature: int f(int *a, int *b)
//@ labels: other
#include <taw.h>

int f(int *a, int *b) {
  *a = 1;  //~ BUG null-dereference
  *b = 2;  //~ BUG null-dereference
  if (*a == 2) taw_target("same");
  taw_target("other");
  return 3;
}
