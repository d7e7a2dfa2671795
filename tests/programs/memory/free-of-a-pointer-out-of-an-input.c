// Each block that an input can be is a path, and so is null; all that is no block is one error.
//@ paths: 3 completed, 1 errored
//@ labels: first second none
//@ native: none
#include <stdlib.h>
#include <taw.h>

int main(void) {
  char *first = malloc(8), *second = malloc(8), *p;
  taw_symbolic(&p, sizeof p, "p");
  free(p);  //~ BUG invalid-free
            //~| COUNT 1
  taw_target(p == first ? "first" : p == second ? "second" : "none");
  return 0;
}
