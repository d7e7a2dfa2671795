// One call that passes the same object twice, through other functions and out of its middle, is enough.
//@ flags: --entry f
//@ target: label:same reached
//@ native: none
#include <taw.h>

static int f(int *p, int *q) {
  if (!p || !q) return 0;
  *p = 1;
  *q = 2;
  if (*p == 2) taw_target("same");
  return *p;
}

static int *middle(int *of) { return of + 1; }
static int twice(int *p) { return f(middle(p), p); }

int main(void) {
  int a[3], b[3];
  return f(a, b) + twice(b);
}
