// Several checks in one run.
//@ flags: --check overflow,uninit,leak
//@ paths: 1 completed, 1 errored
#include <stdlib.h>
#include <taw.h>

int main(void) {
  int a = taw_int("a"), *p = malloc(sizeof *p);
  *p = a;
  *p = *p + 1;  //~ BUG signed-overflow
                //~| WITNESS a == 2147483647
  free(p);
  return 0;
}
