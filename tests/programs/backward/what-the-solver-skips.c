// A condition that the solver has no answer to in time is skipped: those behind it contradict each other all the same. What is not contradictory is searched for.
//@ flags: --search symcretic --entry both --max-time 60s --solver-timeout 10ms
//@ target: label:never unreachable
//@ target: label:cube reached
#include <stdint.h>
#include <taw.h>

static uint64_t mixed(uint64_t a, uint64_t b) {
  a = (a ^ (b >> 33)) * 0xff51afd7ed558ccdull;
  b = (b ^ (a >> 29)) * 0xc4ceb9fe1a85ec53ull;
  return a * b ^ (a * b >> 31);
}

void both(const int *p, uint64_t a, uint64_t b) {
  if (!p) return;
  if (a & 1) b = b * 3 + 1;
  if (mixed(a, b) == 0x123456789abcdefull) {
    if (*p > 10) {
      if (*p < 5) taw_target("never");
    }
  }
  if (a * a * a == 27 + b && *p == 3) taw_target("cube");
}

int main(void) {
  int x = 3;
  both(&x, taw_u64("a"), taw_u64("b"));
  return 0;
}
