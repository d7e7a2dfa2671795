// Builtins that answer about the program.
//@ revisions: O0 O2
//@ output: 16 1 7
#include <stdio.h>

int main(void) {
  char a[16];
  a[0] = 1;
  int x = 7;
  if (__builtin_expect(x == 7, 1)) printf("%d %d %d\n", (int)__builtin_object_size(a, 0), __builtin_constant_p(3), x);
  return a[0] - 1;
}
