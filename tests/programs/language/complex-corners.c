// Products and quotients of complex numbers are what the library of native programs makes them: with scaling, and with annex G's
// rules for infinities, zeros and NaNs.
//@ revisions: O0 O2
//@ paths: 1 completed, 0 errored
#include <complex.h>
#include <math.h>
#include <stdio.h>

static const double values[] = {0.0, -0.0, 1.0, -3.0, 1e-300, 1e300, 1e-40, 1e38, INFINITY, -INFINITY, NAN, 1.1, 2.3e-310};
enum { COUNT = sizeof values / sizeof *values };

static void show(double x) {
  if (isnan(x)) printf(" nan");
  else printf(" %lx", ((union { double number; unsigned long bits; }){x}).bits);
}

#define TEST(name, type, real, imag)                                                                     \
  static __attribute__((noinline)) type _Complex name##_over(type _Complex a, type _Complex b) { return a / b; } \
  static __attribute__((noinline)) type _Complex name##_times(type _Complex a, type _Complex b) { return a * b; } \
  static __attribute__((noinline)) void name(int i, int j, int k, int l) {                               \
    type _Complex a = __builtin_complex((type)values[i], (type)values[j]);                               \
    type _Complex b = __builtin_complex((type)values[k], (type)values[l]);                               \
    type _Complex quotient = name##_over(a, b), product = name##_times(a, b);                            \
    show(real(quotient)), show(imag(quotient)), show(real(product)), show(imag(product));                \
  }
TEST(single, float, crealf, cimagf)
TEST(twice, double, creal, cimag)
TEST(extended, long double, creall, cimagl)

int main(void) {
  for (int n = 0; n < COUNT * COUNT * COUNT * COUNT; n += 59) {
    int i = n % COUNT, j = n / COUNT % COUNT, k = n / COUNT / COUNT % COUNT, l = n / COUNT / COUNT / COUNT;
    single(i, j, k, l), twice(i, j, k, l), extended(i, j, k, l);
    puts("");
  }
  return 0;
}
