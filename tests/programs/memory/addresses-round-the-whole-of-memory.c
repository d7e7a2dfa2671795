// A pointer that is moved so far that it comes round is before or behind its object by where that lies: nobody's proof.
//@ exhaustive: false
//@ native: none
#include <stdlib.h>
#include <taw.h>

int main(void) {
  char *a = malloc(4);
  unsigned long n = taw_u64("n");
  taw_assume(n > (1UL << 62));
  int order = a + n < a;
  free(a);
  if (order) taw_target("before");
  else taw_target("behind");
  return 0;
}
