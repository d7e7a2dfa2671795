// A condition that the solver cannot decide in time is skipped: the two behind it contradict each other all the same, and what is not contradictory is searched for.
//@ flags: --search symcretic --max-time 60s --solver-timeout 1ms
//@ target: label:never unreachable
//@ target: label:cube reached
#include <stdint.h>
#include <taw.h>

int main(void) {
  uint64_t a = taw_u64("a"), b = taw_u64("b");
  int y = taw_int("y");
  if (a > 1 && b > 1 && a < UINT32_MAX && b < UINT32_MAX && a * b == 18446743979220271189ull) {
    if (y > 10) {
      if (y < 5) taw_target("never");
    }
  }
  if (a * a * a == 27 + b && y == 3) taw_target("cube");
  return 0;
}
