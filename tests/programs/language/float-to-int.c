// Conversion of a symbolic float, and its square.
//@ exhaustive: true
//@ labels: answer big
#include <taw.h>

int main(void) {
  float f = taw_float("f");
  taw_assume(f >= 0.0f);
  taw_assume(f < 100.0f);
  int i = (int)f;
  if (i == 42) taw_target("answer");
  if (f * f > 9999.0f) taw_target("big");
  taw_assert((float)(double)f == f);
  return 0;
}
