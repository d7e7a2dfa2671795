// The second branch is decided by the first.
//@ paths: 3 completed, 0 errored
//@ brute-force
#include <taw.h>

int main(void) {
  unsigned char x = taw_u8("x");
  int n = 0;
  if (x > 100) n++;
  if (x > 50) n++;
  if (n == 1 && x > 200) n = 9;
  return n;
}
