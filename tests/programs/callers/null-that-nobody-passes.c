// What no call passes as null is not null; what is read out of memory may be.
//@ flags: --entry f
//@ target: label:first unreachable
//@ target: label:second reached
//@ rests-on: `f` is called only as the program calls it
//@ native: none
#include <taw.h>

static int *maybe[2];

static int f(int *p, int *q) {
  if (!p) taw_target("first");
  if (!q) taw_target("second");
  return 0;
}

int main(int argc, char **argv) {
  int a = 1;
  if (argc > 1) maybe[0] = &a;
  return f(&a, maybe[0]);
}
