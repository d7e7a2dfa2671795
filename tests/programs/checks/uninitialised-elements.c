// An element at an unknown index is initialised where it was written, and elsewhere it is not: only that is an error.
//@ flags: --check uninit
//@ sanitize: memory
//@ paths: 2 completed, 2 errored
//@ labels: few many
#include <taw.h>

int main(void) {
  unsigned char k = taw_u8("k"), j = taw_u8("j");
  if (taw_bool("many")) {
    static char *p;
    char b[200];
    p = b;
    taw_assume(k < 200 && j < 200);
    p[k] = 1;
    if (p[k] != 1) return 3;
    taw_target("many");
    if (p[j] == 1) //~ BUG uninitialised-use
                   //~| WITNESS j != k
      return 1;
    return 2;
  }
  int b[8];
  taw_assume(k < 8 && j < 8);
  b[k] = 1;
  if (b[k] != 1) return 3;
  taw_target("few");
  if (b[j] == 1) //~ BUG uninitialised-use
                 //~| WITNESS j != k
    return 1;
  return 2;
}
