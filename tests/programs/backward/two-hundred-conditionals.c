// Two hundred conditionals whose sides call, loop, write by pointers and return early, and do not touch what decides: from the targets back they are no choice.
//@ flags: --search symcretic --max-time 60s
//@ target: label:never unreachable
//@ target: label:five reached
#include <taw.h>

static int sink, other;

static void put(int *to, int value) {
  *to = value;
}

#define ONE(i) \
  if (x[i] > 3) { \
    put(x[i] & 1 ? &sink : &other, x[i]); \
    for (int j = 0; j < (x[i] & 7); j++) sink ^= j; \
  } else { \
    if (x[i] == -77) return 1; \
    other += x[i] & 1; \
  }
#define TEN(i) ONE(i) ONE(i + 1) ONE(i + 2) ONE(i + 3) ONE(i + 4) ONE(i + 5) ONE(i + 6) ONE(i + 7) ONE(i + 8) ONE(i + 9)
#define FIFTY(i) TEN(i) TEN(i + 10) TEN(i + 20) TEN(i + 30) TEN(i + 40)

int main(void) {
  int x[200], z;
  taw_symbolic(&x, sizeof x, "x");
  taw_symbolic(&z, sizeof z, "z");
  int y = z & 15;
  FIFTY(0) FIFTY(50) FIFTY(100) FIFTY(150)
  if (y == 16) taw_target("never");
  if (y == 5) taw_target("five");
  return 0;
}
