// What leaves its object is its error even where the number is inside a neighbour of the same size.
//@ revisions: O0 O2
//@ paths: 1 completed, 1 errored
//@ native: none
#include <taw.h>

unsigned char left[32], here[32], right[32];

int main(void) {
  unsigned long n;
  taw_symbolic(&n, sizeof n, "n");
  taw_assume(n < 200);
  left[0] = right[0] = 1;
  return here[n - 70];  //~ BUG out-of-bounds-read: of `here`, which has 32 bytes
                        //~| WITNESS n < 70 || n > 101
}
