// A copied list is independent; a list can be passed on.
//@ revisions: O0 O2 m32
//@ output: 10 10 25
#include <stdarg.h>
#include <stdio.h>

static int all(int n, va_list args) {
  int total = 0;
  while (n--) total += va_arg(args, int);
  return total;
}

static void show(int n, ...) {
  va_list a, b;
  va_start(a, n);
  va_copy(b, a);
  int x = all(n - 1, a), first = va_arg(b, int), rest = 0;
  for (int i = 2; i < n; i++) rest += va_arg(b, int);
  printf("%d %d %d\n", x, first + rest, va_arg(b, int));
  va_end(a);
  va_end(b);
}

int main(void) {
  show(5, 1, 2, 3, 4, 25);
  return 0;
}
