// Conditionals that do not matter for the targets are not walked: in a slice of the program there are none.
//@ revisions: portfolio symcretic
//@[portfolio] flags: --search Portfolio(KLEE) --max-time 60s
//@[symcretic] flags: --search symcretic --max-time 60s
//@ target: label:never unreachable
//@ target: label:five reached
#include <taw.h>

static int sink;

static void put(int *to, int value) {
  *to = value;
}

int main(void) {
  int x[40], z;
  taw_symbolic(&x, sizeof x, "x");
  taw_symbolic(&z, sizeof z, "z");
  int y = z & 15;
  for (int i = 0; i < 40; i++) {
    if (x[i] > 3) put(&sink, x[i]);
    if (x[i] == 77) return 1;
    for (int j = 0; j < (x[i] & 3); j++) sink ^= j;
  }
  if (y == 16) taw_target("never");
  if (y == 5) taw_target("five");
  return 0;
}
