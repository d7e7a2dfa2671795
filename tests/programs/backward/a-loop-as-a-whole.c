// How often a loop goes round decides, thousands of times: going back turn by turn nobody gets there.
//@ flags: --search symcretic --max-time 60s
//@ target: label:behind reached
//@ target: label:never unreachable
#include <taw.h>

int main(void) {
  unsigned n = taw_uint("n"), steps = 0, even = 0;
  if (n > 100000) return 0;
  for (unsigned i = 0; i < n; i++) {
    if (i % 2) even += 2;
    steps++;
  }
  if (steps == 4242 && even == 4242) taw_target("behind");
  for (int i = 0; i < 50; i++) even |= 1;
  if (even == 1000) taw_target("never");
  return 0;
}
