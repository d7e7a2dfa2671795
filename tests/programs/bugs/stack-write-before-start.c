// One before an array on the stack.
//@ paths: 1 completed, 1 errored
#include <taw.h>

int main(void) {
  int a[4] = {0};
  int i = taw_int("i");
  taw_assume(i >= -1 && i <= 3);
  a[i] = 7;  //~ BUG out-of-bounds-write: 4 bytes at offset -4 of `a`, which has 16 bytes
             //~| WITNESS i == -1
  return 0;
}
