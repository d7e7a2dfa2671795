// Ints, doubles, pointers, long longs and structs through `...`.
//@ revisions: O0 O2 m32
//@ paths: 1 completed, 0 errored
#include <stdarg.h>
#include <taw.h>

struct pair {
  int a, b;
};
struct big {
  long long v[5];
};

static long long sum(const char *kinds, ...) {
  va_list args;
  long long total = 0;
  va_start(args, kinds);
  for (; *kinds; kinds++) {
    if (*kinds == 'i') total += va_arg(args, int);
    if (*kinds == 'l') total += va_arg(args, long long);
    if (*kinds == 'd') total += (long long)va_arg(args, double);
    if (*kinds == 'p') total += *va_arg(args, int *);
    if (*kinds == 's') {
      struct pair p = va_arg(args, struct pair);
      total += p.a + p.b;
    }
    if (*kinds == 'b') {
      struct big b = va_arg(args, struct big);
      total += b.v[4];
    }
  }
  va_end(args);
  return total;
}

int main(void) {
  int x = taw_int("x"), seven = 7;
  taw_assume(x >= 0);
  taw_assume(x < 1000);
  struct pair p = {x, 3};
  struct big b = {{0, 0, 0, 0, 11}};
  taw_assert(sum("ildpsb", x, 1ll << 40, 2.5, &seven, p, b) == (1ll << 40) + 2 * x + 2 + 7 + 3 + 11);
  taw_assert(sum("iiiiiiiiii", 1, 2, 3, 4, 5, 6, 7, 8, 9, x) == 45 + x);
  taw_assert(sum("dddddddddd", 1., 2., 3., 4., 5., 6., 7., 8., 9., 10.) == 55);
  return 0;
}
