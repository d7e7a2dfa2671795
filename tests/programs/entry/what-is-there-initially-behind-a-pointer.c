// A pointer to a variable that has its initial value reads that: the verdict names the variable, and a place that only it would reach is unreachable.
//@ flags: --entry f
//@ signature: int f(void *p)
//@ target: label:other unreachable
//@ target: label:three reached
//@ rests-on: the global variable `mode` has its initial value
#include <taw.h>

int mode = 3;

int f(int *p) {
  if (p == &mode) taw_target(*p == 3 ? "three" : "other");
  return 0;
}
