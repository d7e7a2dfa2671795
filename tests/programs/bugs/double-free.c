// On one of two paths.
//@ paths: 1 completed, 1 errored
#include <stdlib.h>
#include <taw.h>

int main(void) {
  char *p = malloc(8);
  free(p);
  if (taw_u8("x") == 9) free(p);  //~ BUG double-free
                                  //~| WITNESS x == 9
  return 0;
}
