// What calloc, memset and globals give is initialised.
//@ flags: --check uninit
//@ sanitize: memory
//@ paths: 1 completed, 0 errored
#include <stdlib.h>
#include <string.h>

static int global[3];

int main(void) {
  int *p = calloc(2, sizeof *p), local[3];
  memset(local, 0, sizeof local);
  int n = p[1] + local[2] + global[0];
  if (n) return 1;
  free(p);
  return 0;
}
