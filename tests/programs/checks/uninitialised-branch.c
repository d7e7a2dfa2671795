// A branch on a local that one path leaves unset.
//@ flags: --check uninit
//@ sanitize: memory
//@ paths: 2 completed, 1 errored
#include <taw.h>

int main(void) {
  int x;
  if (taw_int("set") == 3) x = taw_int("x");
  if (x > 5)  //~ BUG uninitialised-use
              //~| WITNESS set != 3
    return 1;
  return 0;
}
