// A symbolic pointer to one of three blocks, with an index that fits only some of them.
//@ exhaustive: true
#include <stdlib.h>
#include <taw.h>

int main(void) {
  int *p[3];
  for (int i = 0; i < 3; i++) p[i] = calloc((size_t)i + 1, sizeof *p[i]);
  unsigned i = taw_u32("i"), j = taw_u32("j");
  taw_assume(i < 3);
  taw_assume(j < 3);
  int k = p[i][j];  //~ BUG out-of-bounds-read
                    //~| WITNESS j > i
  *p[j] = 7;
  taw_assert(*p[j] == 7 && k == 0);
  return 0;
}
