// sqrt, fabs, floor and fmin have a theory.
//@ native: -lm
//@ labels: root
#include <math.h>
#include <taw.h>

int main(void) {
  float x = taw_float("x");
  if (sqrtf(x) == 3.0f) {
    taw_assert(fabsf(x) == x);
    taw_target("root");
  }
  return 0;
}
