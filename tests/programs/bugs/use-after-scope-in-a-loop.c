// Each run of a block has its own locals, though a machine puts them at one address.
//@ native: none
//@ paths: 1 completed, 1 errored
#include <taw.h>

int main(void) {
  int *p = 0, last = taw_int("last");
  for (int i = 0; i < 2; i++) {
    int a[10] = {0};
    if (i == 0)
      p = a;
    else if (last == 7)
      p[0] = 1;  //~ BUG use-after-scope: write of 4 bytes in `a` of an earlier run of its block
    else
      a[0] = 1;
  }
  return 0;
}
