// A hash that is only a hundred multiplications away from its argument: called, not executed.
//@ flags: --pure hash
//@ target: label:found reached
//@ target: label:both unreachable
#include <taw.h>

static unsigned hash(unsigned x, signed char salt) {
  for (int i = 0; i < 100; i++) x = (x ^ x >> 13) * 2654435761u + salt;
  return x >> 22;
}

int main(void) {
  unsigned x = taw_uint("x");
  unsigned h = hash(x, -5);
  if (h == 700) taw_target("found");
  if (x > 9000 && x < 8000 && h < 1000) taw_target("both");
  return 0;
}
