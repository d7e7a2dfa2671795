/* Products and quotients of complex numbers, as the compiler calls them: the arithmetic of libgcc, which native programs are
 * linked with (quotients by Baudin and Smith, "A Robust Complex Division in Scilab", of floats directly in doubles; annex G's
 * rules for infinities and NaNs).
 */
#include <float.h>

#define IS_NAN(x) __builtin_isnan(x)
#define IS_INF(x) __builtin_isinf(x)
#define IS_FINITE(x) __builtin_isfinite(x)
#define INF __builtin_inff()

/* An infinity as 1, all else as 0, with the sign. */
#define BOX(x, copysign) copysign(IS_INF(x) ? 1 : 0, x)
/* A zero for a NaN, with the sign. */
#define UNNAN(x, copysign) (IS_NAN(x) ? copysign(0, x) : (x))

#define PRODUCT(name, type, copysign)                                                          \
  type _Complex name(type a, type b, type c, type d) {                                         \
    type ac = a * c, bd = b * d, ad = a * d, bc = b * c;                                       \
    type x = ac - bd, y = ad + bc;                                                             \
    if (IS_NAN(x) && IS_NAN(y)) {                                                              \
      _Bool recalc = 0;                                                                        \
      if (IS_INF(a) || IS_INF(b)) {                                                            \
        a = BOX(a, copysign), b = BOX(b, copysign);                                            \
        c = UNNAN(c, copysign), d = UNNAN(d, copysign);                                        \
        recalc = 1;                                                                            \
      }                                                                                        \
      if (IS_INF(c) || IS_INF(d)) {                                                            \
        c = BOX(c, copysign), d = BOX(d, copysign);                                            \
        a = UNNAN(a, copysign), b = UNNAN(b, copysign);                                        \
        recalc = 1;                                                                            \
      }                                                                                        \
      if (!recalc && (IS_INF(ac) || IS_INF(bd) || IS_INF(ad) || IS_INF(bc))) {                 \
        a = UNNAN(a, copysign), b = UNNAN(b, copysign);                                        \
        c = UNNAN(c, copysign), d = UNNAN(d, copysign);                                        \
        recalc = 1;                                                                            \
      }                                                                                        \
      if (recalc) x = INF * (a * c - b * d), y = INF * (a * d + b * c);                        \
    }                                                                                          \
    return __builtin_complex(x, y);                                                            \
  }

/* What is infinite or zero over what is finite, and what is finite over what is infinite, is no NaN. */
#define RECOVER(x, y, copysign)                                                                \
  if (IS_NAN(x) && IS_NAN(y)) {                                                                \
    if (c == 0 && d == 0 && (!IS_NAN(a) || !IS_NAN(b))) {                                      \
      x = copysign(INF, c) * a, y = copysign(INF, c) * b;                                      \
    } else if ((IS_INF(a) || IS_INF(b)) && IS_FINITE(c) && IS_FINITE(d)) {                     \
      a = BOX(a, copysign), b = BOX(b, copysign);                                              \
      x = INF * (a * c + b * d), y = INF * (b * c - a * d);                                    \
    } else if ((IS_INF(c) || IS_INF(d)) && IS_FINITE(a) && IS_FINITE(b)) {                     \
      c = BOX(c, copysign), d = BOX(d, copysign);                                              \
      x = 0 * (a * c + b * d), y = 0 * (b * c - a * d);                                        \
    }                                                                                          \
  }

/* Operands are scaled where the divisor's greater part is huge or tiny, or the dividend is tiny. */
#define SCALE(type, by) (a *= (type)(by), b *= (type)(by), c *= (type)(by), d *= (type)(by))

#define QUOTIENT(name, type, LIMIT, abs, copysign)                                             \
  type _Complex name(type a, type b, type c, type d) {                                         \
    const type big = LIMIT##_MAX / 2, least = LIMIT##_MIN, tiny = LIMIT##_EPSILON;             \
    _Bool is_turned = abs(c) < abs(d);                                                         \
    type greater = is_turned ? d : c, x, y;                                                    \
    if (abs(greater) >= big) SCALE(type, 0.5);                                                 \
    greater = is_turned ? d : c;                                                               \
    if (abs(greater) < tiny ||                                                                 \
        (abs(a) < tiny && abs(b) < big * tiny && abs(greater) < big * tiny) ||                 \
        (abs(b) < tiny && abs(a) < big * tiny && abs(greater) < big * tiny))                   \
      SCALE(type, 1 / tiny);                                                                   \
    if (is_turned) {                                                                           \
      type r = c / d, denominator = c * r + d;                                                 \
      _Bool is_normal = abs(r) > least;                                                        \
      x = ((is_normal ? a * r : c * (a / d)) + b) / denominator;                               \
      y = ((is_normal ? b * r : c * (b / d)) - a) / denominator;                               \
    } else {                                                                                   \
      type r = d / c, denominator = d * r + c;                                                 \
      _Bool is_normal = abs(r) > least;                                                        \
      x = ((is_normal ? b * r : d * (b / c)) + a) / denominator;                               \
      y = (b - (is_normal ? a * r : d * (a / c))) / denominator;                               \
    }                                                                                          \
    RECOVER(x, y, copysign)                                                                    \
    return __builtin_complex(x, y);                                                            \
  }

PRODUCT(__mulsc3, float, __builtin_copysignf)
PRODUCT(__muldc3, double, __builtin_copysign)
PRODUCT(__mulxc3, long double, __builtin_copysignl)

QUOTIENT(__divdc3, double, DBL, __builtin_fabs, __builtin_copysign)
QUOTIENT(__divxc3, long double, LDBL, __builtin_fabsl, __builtin_copysignl)

float _Complex __divsc3(float a, float b, float c, float d) {
  double square = (double)c * c + (double)d * d;
  float x = (float)(((double)a * c + (double)b * d) / square);
  float y = (float)(((double)b * c - (double)a * d) / square);
  RECOVER(x, y, __builtin_copysignf)
  return __builtin_complex(x, y);
}
