// On request the clock is an input that never goes back.
//@ flags: --sym-time
//@ native: none
//@ labels: early late
#include <taw.h>
#include <time.h>

int main(void) {
  time_t before = time(NULL);
  if (before < 1000000) taw_target("early"); else taw_target("late");
  taw_assert(time(NULL) >= before);
  return 0;
}
