/* The long double functions of <math.h> for a caller that has no such type: arguments and results by address.
 * And functions of the C library by name: the linker may have found others of that name first (Rust brings its own cbrt).
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <math.h>
#include <string.h>

/* The address of a function of libm, or null. */
void *taw_libm(const char *name) {
  void *library = dlopen("libm.so.6", RTLD_NOW);
  return library ? dlsym(library, name) : NULL;
}

double taw_cbrt(double x) {
  double (*f)(double) = (double (*)(double))taw_libm("cbrt");
  return f ? f(x) : cbrt(x);
}

float taw_cbrtf(float x) {
  float (*f)(float) = (float (*)(float))taw_libm("cbrtf");
  return f ? f(x) : cbrtf(x);
}

/* The bytes behind the ten that count are cleared: they would be those of the stack. */
static void put(long double *to, long double value) {
  memset(to, 0, sizeof *to);
  memcpy(to, &value, 10);
}

#define ONE(name) \
  void taw_##name(const long double *x, long double *result) { put(result, name(*x)); }
#define TWO(name) \
  void taw_##name(const long double *x, const long double *y, long double *result) { put(result, name(*x, *y)); }

ONE(acosl) ONE(acoshl) ONE(asinl) ONE(asinhl) ONE(atanl) ONE(atanhl) ONE(cbrtl) ONE(cosl)
ONE(coshl) ONE(erfl) ONE(erfcl) ONE(expl) ONE(exp10l) ONE(exp2l) ONE(expm1l) ONE(j0l)
ONE(j1l) ONE(lgammal) ONE(logl) ONE(log10l) ONE(log1pl) ONE(log2l) ONE(logbl) ONE(sinl)
ONE(sinhl) ONE(tanl) ONE(tanhl) ONE(tgammal) ONE(y0l) ONE(y1l)

TWO(atan2l) TWO(hypotl) TWO(nextafterl) TWO(powl) TWO(remainderl)
