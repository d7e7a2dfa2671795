// One path calls what is defined nowhere: that path ends, the others go on.
//@ exhaustive: false
//@ unsupported: `nowhere`, which is defined nowhere
//@ native: none
#include <taw.h>

int nowhere(int);

int main(void) {
  int x = taw_int("x");
  if (x == 3) return nowhere(x);
  if (x == 4) return nowhere(x + 1);
  taw_assert(x != 9); //~ BUG assertion-failure
  return 0;
}
