/* The rest of <math.h>: functions that are combinations of others, and those of long double on the bits of a number.
 *
 * Not here: remquo, nexttoward, nan, jn, yn.
 */
#define _GNU_SOURCE
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

int ilogb(double x) {
  if (x == 0) return FP_ILOGB0;
  if (x != x) return FP_ILOGBNAN;
  if (x - x != 0) return INT_MAX;
  int exponent;
  frexp(x, &exponent);
  return exponent - 1;
}
int ilogbf(float x) { return ilogb(x); }

static int clamped(long n) { return n > 100000 ? 100000 : n < -100000 ? -100000 : (int)n; }
double scalbln(double x, long n) { return scalbn(x, clamped(n)); }
float scalblnf(float x, long n) { return scalbnf(x, clamped(n)); }

long long llroundf(float x) { return llround(x); }
long long llrintf(float x) { return llrint(x); }
double drem(double x, double y) { return remainder(x, y); }
float dremf(float x, float y) { return remainderf(x, y); }
double gamma(double x) { return lgamma(x); }

void sincos(double x, double *sine, double *cosine) {
  *sine = sin(x);
  *cosine = cos(x);
}
void sincosf(float x, float *sine, float *cosine) {
  *sine = sinf(x);
  *cosine = cosf(x);
}

#if __LDBL_MANT_DIG__ == 64
void sincosl(long double x, long double *sine, long double *cosine) {
  *sine = sinl(x);
  *cosine = cosl(x);
}

long lroundl(long double x) { return (long)roundl(x); }
long lrintl(long double x) { return (long)rintl(x); }
long long llroundl(long double x) { return (long long)roundl(x); }
long long llrintl(long double x) { return (long long)rintl(x); }
long double fdiml(long double x, long double y) { return x != x || y != y ? x + y : x > y ? x - y : 0.0L; }

long double modfl(long double x, long double *whole) {
  *whole = truncl(x);
  return copysignl(x - x == 0 ? x - *whole : x != x ? x : 0.0L, x);
}

/* Sign and exponent are the two bytes above the significand. */
static uint16_t head_of(long double x) {
  uint16_t head;
  memcpy(&head, (char *)&x + 8, sizeof head);
  return head;
}
static long double with_head(long double x, uint16_t head) {
  memcpy((char *)&x + 8, &head, sizeof head);
  return x;
}

long double frexpl(long double x, int *exponent) {
  *exponent = 0;
  if (x == 0 || x - x != 0) return x;
  if ((head_of(x) & 0x7fff) == 0) {
    x *= 0x1p70L; /* a subnormal becomes normal */
    *exponent = -70;
  }
  *exponent += (head_of(x) & 0x7fff) - 16382;
  return with_head(x, (head_of(x) & 0x8000) | 16382);
}

/* Steps down leave a last step that is small enough for a subnormal result to be rounded once. */
long double scalbnl(long double x, int n) {
  for (int i = 0; i < 2 && n > 16383; i++, n -= 16383) x *= 0x1p16383L;
  for (int i = 0; i < 2 && n < -16382; i++, n += 16318) x *= 0x1p-16318L;
  n = n > 16383 ? 16383 : n < -16382 ? -16382 : n;
  return x * with_head(1.0L, (uint16_t)(n + 16383));
}
long double ldexpl(long double x, int n) { return scalbnl(x, n); }
long double scalblnl(long double x, long n) { return scalbnl(x, clamped(n)); }
int ilogbl(long double x) {
  if (x == 0) return FP_ILOGB0;
  if (x != x) return FP_ILOGBNAN;
  if (x - x != 0) return INT_MAX;
  int exponent;
  frexpl(x, &exponent);
  return exponent - 1;
}
#endif
