// Variadic arguments of every class of the calling convention, in registers and in memory, after named ones that use some up.
//@ revisions: O0 O2
//@ paths: 1 completed, 0 errored
#include <stdarg.h>
#include <stdio.h>

struct __attribute__((aligned(16))) aligned { long long a, b; };
struct __attribute__((aligned(32))) very { long long a, b; };
struct small { char c[3]; };
struct pair { double a, b; };
struct mixed { double d; int i; };
struct big { long a[5]; };
struct floats { float f[4]; };
typedef float v4 __attribute__((vector_size(16)));
typedef float v2 __attribute__((vector_size(8)));

static void all(int n, ...) {
  va_list list;
  va_start(list, n);
  int i = va_arg(list, int);
  struct aligned a = va_arg(list, struct aligned);
  int j = va_arg(list, int);
  struct small s = va_arg(list, struct small);
  struct pair p = va_arg(list, struct pair);
  struct mixed m = va_arg(list, struct mixed);
  struct big b = va_arg(list, struct big);
  struct floats f = va_arg(list, struct floats);
  long double l = va_arg(list, long double);
  __int128 w = va_arg(list, __int128);
  struct aligned again = va_arg(list, struct aligned);
  v4 v = va_arg(list, v4);
  struct very y = va_arg(list, struct very);
  v2 x = va_arg(list, v2);
  int k = va_arg(list, int);
  va_end(list);
  printf("%d %lld %lld %d %d %g %g %g %d %ld %g %Lg %lld %lld %g %lld %g %d\n", i, a.a, a.b, j, s.c[2], p.a, p.b, m.d, m.i,
         b.a[4], f.f[3], l, (long long)(w >> 40), again.b, v[3], y.b, x[1], k);
}

static void after(v4 v, long a, struct pair p, struct aligned s, int n, ...) {
  va_list list;
  va_start(list, n);
  printf("%g %ld %g %lld:", v[2], a, p.b, s.b);
  for (int i = 0; i < n; i++) {
    struct aligned t = va_arg(list, struct aligned);
    double d = va_arg(list, double);
    printf(" %lld %g %d", t.a, d, va_arg(list, int));
  }
  puts("");
  va_end(list);
}

int main(void) {
  struct aligned a = {1, 2}, b = {3, 4};
  struct pair p = {5, 6};
  v4 v = {1, 2, 3, 14};
  all(0, 42, a, 43, (struct small){{3, 4, 5}}, p, (struct mixed){8, 9}, (struct big){{1, 2, 3, 4, 10}},
      (struct floats){{1, 2, 3, 11}}, 1.5L, (__int128)99 << 40, b, v, (struct very){15, 16}, (v2){1, 17}, 18);
  after(v, 7, p, a, 4, a, 1.0, 10, b, 2.0, 20, a, 3.0, 30, b, 4.0, 40);
  return 0;
}
