// A pointer that was moved out of its array, even into the bounds of another, comes back to its own by an unknown index.
//@ revisions: O0 O2 O3 m32
//@[O3] flags: --cflag -O3
//@ paths: 1 completed, 0 errored
#include <stdlib.h>
#include <taw.h>

static int before[8], table[8] = {1, 2, 3, 4, 5, 6, 7, 8}, after[8];
static int *const far_away = table - 24;

struct row { int *from; };

int main(void) {
  unsigned i = taw_u32("i");
  taw_assume(i < 8);
  before[0] = after[0] = 100;
  int *heap = calloc(8, sizeof *heap), *neighbour = calloc(8, sizeof *neighbour);
  heap[i] = 5;
  for (int k = 1; k < 60; k++) {
    int *base = table, *p = base - k;
    struct row row = {p};
    taw_assert(p[i + k] == (int)i + 1);
    taw_assert(row.from[i + k] == (int)i + 1);
    int *q = heap + k;
    taw_assert((q + i)[-k] == 5);
    q = neighbour - k;
    taw_assert((q + i)[k] == 0);
  }
  taw_assert(far_away[i + 24] == (int)i + 1);
  return 0;
}
