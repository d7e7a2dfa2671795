// Which object is meant, a choice decides: an index that is too large for it is an error, though it may lead into the other one.
//@ labels:
#include <stdlib.h>
#include <taw.h>

int main(void) {
  int *a = malloc(4 * sizeof *a), *b = malloc(4 * sizeof *b);
  for (int i = 0; i < 4; i++) a[i] = b[i] = i;
  unsigned i = taw_u32("i");
  int *p = taw_bool("c") ? a : b;
  int got = p[i]; //~ BUG out-of-bounds-read
  int bad = got > 3 || (i > 3);
  free(a);
  free(b);
  if (bad) taw_target("missed");
  return 0;
}
