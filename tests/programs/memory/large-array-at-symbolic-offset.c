// An array that is too large for a chain of conditionals.
//@ paths: 3 completed, 0 errored
#include <taw.h>

static unsigned char big[5000];

int main(void) {
  unsigned i = taw_u32("i"), j = taw_u32("j");
  taw_assume(i < 5000 && j < 5000);
  big[4999] = 9;
  big[i] = 7;
  taw_assert(big[i] == 7);
  taw_assert(big[j] == 0 || big[j] == 7 || (big[j] == 9 && j == 4999));
  return 0;
}
