/* The part of <math.h> that is ordinary C on the bits of a number; sin, pow, sqrt and their like are the engine's.
 *
 * The classification functions are those that glibc's macros call when the compiler does not inline them.
 */
#include <math.h>
#include <stdint.h>
#include <string.h>

#undef isnan
#undef isinf
#undef finite

static uint64_t bits_of(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

static double of_bits(uint64_t bits) {
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

/* 0: zero or subnormal, 2047: infinite or not a number. */
static int exponent_of(double x) { return (int)(bits_of(x) >> 52 & 2047); }

int __isnan(double x) { return x != x; }
int __isnanf(float x) { return x != x; }
int __finite(double x) { return exponent_of(x) != 2047; }
int __finitef(float x) { return __finite(x); }
int __signbit(double x) { return (int)(bits_of(x) >> 63); }
int __signbitf(float x) { return __signbit(x); }
int __isinf(double x) {
  if (x != x || __finite(x)) return 0;
  return x > 0 ? 1 : -1;
}
int __isinff(float x) { return __isinf(x); }
int isnan(double x) { return __isnan(x); }
int isinf(double x) { return __isinf(x); }
int finite(double x) { return __finite(x); }

int __fpclassify(double x) {
  int exponent = exponent_of(x);
  if (exponent == 2047) return x != x ? FP_NAN : FP_INFINITE;
  if (exponent != 0) return FP_NORMAL;
  return x == 0 ? FP_ZERO : FP_SUBNORMAL;
}

double frexp(double x, int *exponent) {
  *exponent = 0;
  if (x == 0 || !__finite(x)) return x;
  if (exponent_of(x) == 0) {
    x *= 0x1p54; /* a subnormal becomes normal */
    *exponent = -54;
  }
  *exponent += exponent_of(x) - 1022;
  return of_bits((bits_of(x) & ~(2047ull << 52)) | 1022ull << 52);
}

/* Steps down leave a last step of 2^-53 or less, so that a subnormal result is rounded once. */
double scalbn(double x, int n) {
  for (int i = 0; i < 2 && n > 1023; i++, n -= 1023) x *= 0x1p1023;
  for (int i = 0; i < 2 && n < -1022; i++, n += 969) x *= 0x1p-969;
  n = n > 1023 ? 1023 : n < -1022 ? -1022 : n;
  return x * of_bits((uint64_t)(n + 1023) << 52);
}
double ldexp(double x, int n) { return scalbn(x, n); }

double modf(double x, double *whole) {
  *whole = trunc(x);
  return copysign(__finite(x) ? x - *whole : x != x ? x : 0.0, x);
}

double fdim(double x, double y) { return x != x || y != y ? x + y : x > y ? x - y : 0.0; }
long lround(double x) { return (long)round(x); }
long long llround(double x) { return (long long)round(x); }
long lrint(double x) { return (long)rint(x); }
long long llrint(double x) { return (long long)rint(x); }

float frexpf(float x, int *exponent) { return (float)frexp(x, exponent); }
float ldexpf(float x, int n) { return (float)scalbn(x, n); }
float scalbnf(float x, int n) { return (float)scalbn(x, n); }
float modff(float x, float *whole) {
  double w, part = modf(x, &w);
  *whole = (float)w;
  return (float)part;
}
float fdimf(float x, float y) { return x != x || y != y ? x + y : x > y ? x - y : 0.0f; }
long lroundf(float x) { return lround(x); }
long lrintf(float x) { return lrint(x); }
