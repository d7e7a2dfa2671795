// A parameter that is null at every call leads nowhere.
//@ flags: --entry f
//@ paths: 1 completed, 0 errored
//@ labels: null
//@ native: none
//@ rests-on: `f` is called only as the program calls it
#include <taw.h>

static int f(int *p) {
  taw_target(p ? "object" : "null");
  return p ? *p : 0;
}

int main(void) { return f(0); }
