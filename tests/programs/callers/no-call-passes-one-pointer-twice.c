// With the whole program a pointer is what some call passes: two parameters that no call passes one object for are two objects.
//@ flags: --entry f
//@ target: label:same unreachable
//@ target: label:apart reached
//@ rests-on: `f` is called only as the program calls it
//@ native: none
#include <taw.h>

static int f(int *p, int *q) {
  if (!p || !q) return 0;
  *p = 1;
  *q = 2;
  if (*p == 2) taw_target("same");
  taw_target("apart");
  return *p;
}

int main(void) {
  int a[3], b[3], *p = a;
  p += 2;
  return f(p, b) + f(a, b + 1);
}
