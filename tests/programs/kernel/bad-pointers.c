// The kernel says so where no memory is; what leaves an object is an error of the program.
//@ native: none
#include <taw.h>
#include <unistd.h>

int main(void) {
  char small[4];
  taw_assert(write(1, (void *)16, 4) == -1);
  taw_assert(read(0, (void *)16, 0) == 0);
  int ends[2];
  if (pipe(ends) || write(ends[1], "1234567890", 10) != 10) return 1;
  taw_assert(read(ends[0], small, 4) == 4);
  if (taw_bool("more")) read(ends[0], small, 5);  //~ BUG out-of-bounds-write
  return write(1, "x", 1) - 1;
}
