// Two symbolic indices into one object.
//@ paths: 1 completed, 0 errored
#include <taw.h>

int main(void) {
  int m[4][5] = {{0}};
  unsigned r = taw_u32("r"), c = taw_u32("c");
  taw_assume(r < 4 && c < 5);
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 5; j++) m[i][j] = 10 * i + j;
  taw_assert(m[r][c] == (int)(10 * r + c));
  return 0;
}
