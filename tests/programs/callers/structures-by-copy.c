// Pointers in a structure that is passed by copy, large or in registers, are those of the copies that calls pass.
//@ revisions: small large
//@[small] flags: --entry f --cflag=-DMORE=1
//@[large] flags: --entry f --cflag=-DMORE=8
//@ target: label:same unreachable
//@ target: label:end reached
//@ rests-on: `f` is called only as the program calls it
//@ native: none
#include <taw.h>

struct range {
  int *begin;
  long more[MORE];
};

static int f(struct range range, int *p) {
  if (range.begin && range.begin == p) taw_target("same");
  taw_target("end");
  return 0;
}

int main(void) {
  int a, b;
  struct range range = {&a};
  return f(range, &b);
}
