// Rounding to the nearest is what there is; a path that wants another direction, or asks for exceptions, says so.
//@ paths: 3 completed, 0 errored
//@ exhaustive: false
//@ labels: nearest cleared refused
//@ unsupported: the floating-point environment
//@ native: -lm
#include <fenv.h>
#include <math.h>
#include <taw.h>

int main(void) {
  int what = taw_int("what");
  taw_assume((what >= 0) & (what < 5));
  switch (what) {
    case 0:
      if (fesetround(FE_TONEAREST) == 0 && fegetround() == FE_TONEAREST) taw_target("nearest");
      break;
    case 1:
      if (feclearexcept(FE_ALL_EXCEPT) == 0 && nearbyint(2.5) == 2) taw_target("cleared");
      break;
    case 2:
      if (fesetround(12345) != 0) taw_target("refused");
      break;
    case 3:
      if (fesetround(FE_UPWARD) == 0) taw_target("upward");
      break;
    case 4:
      if (fetestexcept(FE_INEXACT)) taw_target("inexact");
      break;
  }
  return 0;
}
