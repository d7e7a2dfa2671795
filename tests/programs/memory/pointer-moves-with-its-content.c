// Old programs move their pointers by the distance from the old block to the new one. No standard allows it; it works.
//@ paths: 1 completed, 0 errored
//@ labels: end
#include <stdlib.h>
#include <string.h>
#include <taw.h>

int main(void) {
  unsigned i = taw_u32("i"), j = taw_u32("j");
  taw_assume(i < 16 && j < 8);
  for (int size = 16; size < 40; size += 10) {
    char *old = malloc(16), *p = old + i;
    memset(old, 7, 16);
    char *new = malloc(size + 24);
    memcpy(new, old, 16);
    ptrdiff_t distance = new - old;
    free(old);
    p += distance;
    *p = 3;
    char *q = new - distance + 2;
    q += distance;
    q[j] = 3;
    taw_assert(p == new + i && new[i] == 3 && new[j + 2] == 3);
    free(new);
  }
  int *old = calloc(16, sizeof *old), *new = calloc(24, sizeof *new), *p = old + i;
  struct { ptrdiff_t distance; } kept = {new - old};
  free(old);
  p += kept.distance;
  *p = 9;
  taw_assert(new[i] == 9);
  free(new);
  taw_target("end");
  return 0;
}
