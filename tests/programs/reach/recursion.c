// The target needs a certain depth of calls; beyond the depth that there is, nothing is reached.
//@ target: label:deep reached
//@ target: label:deeper unreachable
#include <taw.h>

static int down(unsigned n, unsigned level) {
  if (level == 9) taw_target("deep");
  if (level == 11) taw_target("deeper");
  return n == 0 ? 0 : 1 + down(n - 1, level + 1);
}

int main(void) {
  unsigned n = taw_u8("n");
  taw_assume(n <= 10);
  return down(n, 0);
}
