// A program that calls a function which is nowhere may call anything in any way.
//@ flags: --entry f --alias points-to
//@ target: label:same reached
//@ native: none
#include <taw.h>

void unheard_of(void);

int f(int *p, int *q) {
  if (p && p == q) taw_target("same");
  return 0;
}

int main(void) {
  int a, b;
  unheard_of();
  return f(&a, &b);
}
