// A write on one path is not seen on the other.
//@ paths: 2 completed, 0 errored
#include <stdlib.h>
#include <taw.h>

static int global = 1;

int main(void) {
  int local = 1, *heap = malloc(sizeof *heap);
  *heap = 1;
  int left = taw_bool("left");
  if (left) global = local = *heap = 2;
  int expected = left ? 2 : 1;
  taw_assert(global == expected && local == expected && *heap == expected);
  free(heap);
  return 0;
}
