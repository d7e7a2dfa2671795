// A symbolic long double.
//@ labels: found
//@ exhaustive: any
#include <taw.h>

int main(void) {
  long double x = taw_long_double("x");
  if (x > 2.0L && x < 2.5L) taw_target("found");
  return 0;
}
