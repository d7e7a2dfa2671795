// A variable-length array of symbolic length.
//@ paths: 1 completed, 1 errored
#include <taw.h>

int main(void) {
  unsigned n = taw_u32("n"), i = taw_u32("i");
  taw_assume(n >= 1 && n <= 8 && i < 8);
  char a[n];
  a[i] = 1;  //~ BUG out-of-bounds-write
             //~| WITNESS i >= n
  return 0;
}
