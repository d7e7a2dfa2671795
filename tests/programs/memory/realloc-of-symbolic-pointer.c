// One of two blocks grows; the other stays.
//@ exhaustive: true
#include <stdlib.h>
#include <taw.h>

int main(void) {
  char *p[2] = {malloc(4), malloc(8)};
  p[0][0] = 'a';
  p[1][0] = 'b';
  unsigned i = taw_u32("i");
  taw_assume(i < 2);
  p[i] = realloc(p[i], 12);
  p[i][11] = 1;
  taw_assert(p[0][0] == 'a' && p[1][0] == 'b');
  free(p[0]);
  free(p[1]);
  return 0;
}
