// __ASSUME takes several conditions.
//@ paths: 1 completed, 0 errored
#include <taw.h>
void __SYMBOLIC(void *);
void __ASSUME(int, ...);

int main(void) {
  int x;
  __SYMBOLIC(&x);
  __ASSUME(x > 3, x < 5);
  taw_assert(x == 4);
  return 0;
}
