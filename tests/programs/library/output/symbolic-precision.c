// A precision that depends on inputs decides on the path what is read.
//@ revisions: O0 m32
//@ paths: 4 completed, 1 errored
//@ native: none
#include <stdio.h>
#include <taw.h>

int main(void) {
  char b[3] = {'a', 'b', 'c'};
  int w = taw_int("w");
  taw_assume((w >= 0) & (w < 5));
  printf("%.*s\n", w, b); //~ BUG out-of-bounds-read
                          //~| WITNESS w >= 4
  return 0;
}
