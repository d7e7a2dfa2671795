// With --alias same-type it does not matter how the program calls.
//@ flags: --entry f --alias same-type
//@ target: label:same reached
//@ target: label:null reached
//@ native: none
#include <taw.h>

static int f(int *p, int *q) {
  if (!p) taw_target("null");
  if (p && p == q) taw_target("same");
  return 0;
}

int main(void) {
  int a, b;
  return f(&a, &b);
}
