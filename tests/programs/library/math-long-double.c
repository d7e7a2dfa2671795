// Functions of long double are called natively, concretely and in the search; what the C library computes from bits is ours.
//@ native: -lm
//@ labels: half root power bits
//@ exhaustive: any
#include <math.h>
#include <stdio.h>
#include <taw.h>

int main(void) {
  int exponent;
  long double part, fraction = frexpl(-40.0L, &exponent);
  printf("%.17g %d %.17g %d\n", (double)fraction, exponent, (double)ldexpl(0.75L, 5), ilogb(1e-310));
  printf("%.17g %.17g\n", (double)modfl(-2.75L, &part), (double)part);
  printf("%.17g %.17g %.17g\n", (double)sinl(1.0L), (double)powl(2.0L, 0.5L), (double)erfl(0.25L));
  printf("%.9g %.9g %ld\n", (double)tgammaf(4.5f), (double)asinhf(2.0f), lrintl(2.5L));
  double x = taw_double("x");
  if (sinl(x) > 0.5L && sinl(x) < 0.50001L) taw_target("half");
  if (cbrt(x) == 3.0) taw_target("root");
  if (exp2f((float)x) == 8.0f) taw_target("power");
  if (ilogb(x) == 20) taw_target("bits");
  return 0;
}
