// Four paths meet one error at one place: one finding, counted four times.
//@ paths: 4 completed, 4 errored
#include <taw.h>

int main(void) {
  int a[2] = {0}, n = 0;
  if (taw_bool("p")) n += 1;
  if (taw_bool("q")) n += 2;
  unsigned i = taw_u32("i");
  taw_assume(i <= 2);
  a[i] = n;  //~ BUG out-of-bounds-write
             //~| COUNT 4
  return n;
}
