// Two levels, with a symbolic choice in the middle.
//@ exhaustive: true
#include <taw.h>

int main(void) {
  int x = 1, y = 2, *px = &x, *py = &y;
  int **pp = taw_bool("second") ? &py : &px;
  **pp += 10;
  taw_assert(x + y == 13 && (*pp == &x || y == 12));
  return 0;
}
