// longjmp with 0 arrives as 1.
//@ output: 1
#include <setjmp.h>
#include <stdio.h>

int main(void) {
  static jmp_buf b;
  int r = setjmp(b);
  if (r == 0) longjmp(b, 0);
  printf("%d\n", r);
  return 0;
}
