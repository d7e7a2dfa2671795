// A call of sin on a symbolic argument is never silently made concrete: both sides stay open, and what cannot be
// decided is unknown.
//@ native: -lm
//@ exhaustive: any
#include <math.h>
#include <taw.h>

int main(void) {
  double x = taw_double("x");
  if (sin(x) > 0.5) return 1;
  return 0;
}
