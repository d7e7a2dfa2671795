// An element of a table at an unknown index, indexed itself: each row has its own end.
//@ labels: two
#include <taw.h>

static char one[1] = {1}, two[2] = {1, 2}, three[3] = {1, 2, 3};
static char *const table[3] = {one, two, three};

int main(void) {
  unsigned char row = taw_u8("row");
  unsigned i = taw_u32("i");
  taw_assume(row < 3);
  char got = table[row][i]; //~ BUG out-of-bounds-read
  if (row == 1 && i == 1 && got == 2) taw_target("two");
  if (i > row) taw_target("behind");
  return 0;
}
