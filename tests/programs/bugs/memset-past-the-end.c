// memset with a symbolic length.
//@ paths: 1 completed, 1 errored
#include <string.h>
#include <taw.h>

int main(void) {
  char a[10];
  size_t n = taw_size("n");
  taw_assume(n >= 9 && n <= 11);
  memset(a, 7, n);  //~ BUG out-of-bounds-write
                    //~| WITNESS n == 11
  return 0;
}
