// Nor a string literal.
//@ paths: 0 completed, 1 errored
#include <stdlib.h>

int main(void) {
  char *volatile p = "text";
  free(p);  //~ BUG invalid-free
  return 0;
}
