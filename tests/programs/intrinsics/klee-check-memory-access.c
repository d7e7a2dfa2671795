// Asks whether an access would be good.
#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  char *p = malloc(4);
  unsigned n = (unsigned)klee_range(1, 6, "n");
  klee_check_memory_access(p, n);  //~ BUG out-of-bounds-read
                                   //~| WITNESS n == 5
  free(p);
  return 0;
}
