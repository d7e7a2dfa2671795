// malloc does not clear.
//@ flags: --check uninit
//@ sanitize: memory
//@ paths: 0 completed, 1 errored
#include <stdlib.h>

int main(void) {
  int *p = malloc(4 * sizeof *p);
  p[0] = 1;
  if (p[0] == 1 && p[3] == 2)  //~ BUG uninitialised-use
    return 1;
  free(p);
  return 0;
}
