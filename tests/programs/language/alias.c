// A function and a variable under second names.
//@ revisions: O0 O2
//@ output: 5 6
#include <stdio.h>

int real(void) { return 5; }
int second(void) __attribute__((alias("real")));
int variable = 6;
extern int other __attribute__((alias("variable")));

int main(void) {
  printf("%d %d\n", second(), other);
  return 0;
}
