// The three plain kinds of targets.
//@ revisions: O0 O2 m32
//@ target: label:found reached
//@ target: classify reached
#include <taw.h>

__attribute__((noinline)) static int classify(int x) {
  if (x * 3 == 111) {
    taw_target("found");
    return 1;  //~ REACHED
  }
  return 0;
}

int main(void) { return classify(taw_int("x")); }
