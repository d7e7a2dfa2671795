// How often a loop goes round decides, thousands of times: behind it, and in what calls it. Going back turn by turn nobody gets there.
//@ flags: --search symcretic --max-time 60s
//@ target: label:behind reached
//@ target: label:in-a-callee reached
//@ target: label:never unreachable
#include <taw.h>

static unsigned rounds(unsigned n) {
  unsigned sum = 0;
  while (n > 0) {
    sum += 3;
    n--;
  }
  return sum;
}

int main(void) {
  unsigned n = taw_uint("n"), steps = 0, even = 0;
  if (n > 100000) return 0;
  for (unsigned i = 0; i < n; i++) {
    if (i % 2) even += 2;
    steps++;
  }
  if (steps == 4242 && even == 4242) taw_target("behind");
  if (rounds(n) == 12000) taw_target("in-a-callee");
  for (int i = 0; i < 50; i++) even |= 1;
  if (even == 1000) taw_target("never");
  return 0;
}
