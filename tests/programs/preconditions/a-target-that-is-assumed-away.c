// What is assumed makes places unreachable, and they say so; what no branches lead to does not depend on it.
//@ flags: --entry f --assume=n>3
//@ signature: int f(int n)
//@ rests-on: `n>3` holds where `f` starts
//@ target: label:small unreachable
//@ target: label:large reached
#include <taw.h>

int f(int n) {
  if (n < 3) taw_target("small");
  taw_target("large");
  return n;
}
