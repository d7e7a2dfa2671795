// Unsigned arithmetic wraps by definition.
//@ flags: --check overflow
//@ paths: 1 completed, 0 errored
#include <taw.h>

int main(void) {
  unsigned a = taw_uint("a");
  unsigned short b = taw_u16("b");
  volatile unsigned c = a + 5 - 7 * a;
  volatile unsigned short d = (unsigned short)(b + 65535);
  return 0;
}
