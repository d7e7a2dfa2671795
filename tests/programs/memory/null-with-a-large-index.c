// Null is an error with any index, though a large one may lead into an object.
//@ labels: fine
#include <stdlib.h>
#include <taw.h>

int main(void) {
  char *a = malloc(4);
  a[0] = a[1] = a[2] = a[3] = 5;
  unsigned i = taw_u32("i");
  _Bool c = taw_bool("c");
  char *p = c ? a : 0;
  if (c) taw_assume(i < 4);
  if (p[i] == 5) taw_target(c ? "fine" : "missed"); //~ BUG null-dereference
  free(a);
  return 0;
}
