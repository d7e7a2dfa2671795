//@ flags: --sym-time
//@ labels: early late
/* The clock shows any time. */
#include <taw.h>
#include <time.h>

int main(void) {
  taw_target(time(0) < 1000000000 ? "early" : "late");
  return 0;
}
