// A pointer survives a copy of its bytes.
//@ revisions: O0 O2 m32
//@ paths: 1 completed, 0 errored
#include <taw.h>

int main(void) {
  int x = taw_int("x");
  int *p = &x, *q;
  for (unsigned i = 0; i < sizeof p; i++) ((char *)&q)[i] = ((char *)&p)[i];
  taw_assert(*q == x);
  *q = 5;
  taw_assert(x == 5);
  return 0;
}
