// alloca with a symbolic size.
//@ paths: 1 completed, 1 errored
#include <alloca.h>
#include <taw.h>

int main(void) {
  unsigned n = taw_u32("n");
  taw_assume(n >= 1 && n <= 16);
  volatile char *p = alloca(n);
  p[0] = 3;
  p[10] = 4;  //~ BUG out-of-bounds-write
              //~| WITNESS n <= 10
  return p[0] == 3 ? 0 : 1;
}
