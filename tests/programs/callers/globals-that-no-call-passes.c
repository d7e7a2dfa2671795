// A pointer leads to a global variable only where a call passes one.
//@ flags: --entry f
//@ target: label:shown unreachable
//@ target: label:left reached
//@ rests-on: `f` is called only as the program calls it
//@ native: none
#include <taw.h>

int level;

static int f(int *p) {
  level = 1;
  *p = 2;
  if (level == 2) taw_target("shown");
  taw_target("left");
  return 0;
}

int main(void) {
  int n;
  return f(&n);
}
