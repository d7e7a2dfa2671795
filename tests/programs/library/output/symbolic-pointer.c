// A pointer that depends on inputs is decided on the path.
//@ revisions: O0 m32
//@ paths: 1 completed, 1 errored
#include <stdio.h>
#include <taw.h>

int main(void) {
  int x = taw_int("x");
  printf("%s", x == 3 ? (char *)8 : "ok"); //~ BUG null-dereference
                                           //~| WITNESS x == 3
  return 0;
}
