// Figure 3.3 of the Otter dissertation, written anew: a thousand calls, of which only the eighth can get to the goal.
//
// A strategy that knows the distance steps into the first call and stays there: its loop has no end, and the goal is always
// near. Good for a search that begins at the goal.
#include <taw.h>

static void f(int m, int n) {
  int sum = 0;
  for (int i = 0; i < 6; i++) {
    int a = n % 2;
    if (a) sum += a + 1;
    n /= 2;
  }
  for (;;) {
    if (sum == 0 && m == 7) taw_target("goal");
  }
}

int main(void) {
  int m = taw_int("m"), n = taw_int("n");
  for (int i = 0; i < 1000; i++) {
    if (m == i) f(m, n);
  }
  return 0;
}
