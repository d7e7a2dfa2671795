/* The floating-point environment as far as it can be told: numbers are rounded to the nearest, and exceptions are not recorded. A path
 * that wants it otherwise, or asks for exceptions, is not supported (crates/env/src/unsupported.rs). */
#include <fenv.h>
#include <string.h>

int taw_other_rounding(void);

int fegetround(void) { return FE_TONEAREST; }

int fesetround(int mode) {
  if (mode == FE_TONEAREST) return 0;
  if (mode != FE_DOWNWARD && mode != FE_UPWARD && mode != FE_TOWARDZERO) return -1;
  return taw_other_rounding();
}

int __flt_rounds(void) { return 1; }
int __taw_no_exceptions(int mask) { return 0; }

int feclearexcept(int mask) { return 0; }
int feraiseexcept(int mask) { return 0; }
int fegetenv(fenv_t *to) { return memset(to, 0, sizeof *to), 0; }
int feholdexcept(fenv_t *to) { return fegetenv(to); }
int fesetenv(const fenv_t *from) { return 0; }
int feupdateenv(const fenv_t *from) { return 0; }
