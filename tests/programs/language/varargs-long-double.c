// long doubles among ints, through a pointer to a variadic function.
//@ revisions: O0 O2 m32
//@ paths: 1 completed, 0 errored
#include <stdarg.h>
#include <taw.h>

static double sum(int n, ...) {
  va_list a;
  double total = 0;
  va_start(a, n);
  for (int i = 0; i < n; i++) {
    if (i % 2) total += va_arg(a, int);
    else total += (double)va_arg(a, long double);
  }
  va_end(a);
  return total;
}

int main(void) {
  double (*volatile f)(int, ...) = sum;
  taw_assert(f(4, 1.5L, 2, 3.25L, 4) == 10.75);
  return 0;
}
