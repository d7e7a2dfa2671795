// Parameters of every primitive type.
//@ flags: --entry f
//@ signature: int f(float a, double b, long c, short d)
//@ labels: all
#include <taw.h>

int f(float a, double b, long c, short d) {
  if (a == 1.5f && b == -2.25 && c == 1l << 40 && d == -3) taw_target("all");
  return 0;
}
