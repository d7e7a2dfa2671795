// A block that nobody frees, on one path.
//@ flags: --check leak
//@ paths: 1 completed, 1 errored
#include <stdlib.h>
#include <taw.h>

int main(void) {
  char *p = malloc(5);  //~ BUG leak: 5 bytes
                        //~| WITNESS keep == 1
  int keep = taw_bool("keep");
  if (!keep) free(p);
  p = 0;
  return 0;
}
