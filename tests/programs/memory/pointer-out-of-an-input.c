// A data pointer that is an input may point into any object: each that it can be is a path, the rest is an error.
//@ labels: x y
//@ native: none
#include <taw.h>

static int x = 1, y = 2;

int main(void) {
  int *p;
  taw_symbolic(&p, sizeof p, "p");
  int *volatile px = &x, *volatile py = &y;
  taw_assume((p == px) | (p == py) | (p == 0));
  if (*p == 1) taw_target("x");  //~ BUG null-dereference
  if (*p == 2) taw_target("y");
  return 0;
}
