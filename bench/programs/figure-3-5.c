// Figure 3.5 of the Otter dissertation, written anew: as figure 3.3, but the calls that a search from the goal would try first
// are impossible, which only a search from the start knows.
#include <taw.h>

static volatile int worked;

static void work(int n) {
  for (int i = 0; i < n * 100; i++) worked++;
}

static void f(int m, int n) {
  int sum = 0;
  for (int i = 0; i < 6; i++) {
    int a = n % 2;
    if (a) sum += a + 1;
    n /= 2;
  }
  for (;;) {
    if (sum == 0 && m == 43) taw_target("goal");
  }
}

static void g(int m, int n) {
  for (int i = 0; i < 1000; i++) {
    work(1);
    if (m == i) f(m, n);
  }
}

int main(void) {
  int m = taw_int("m"), n = taw_int("n");
  work(3);
  if (m >= 30) g(m, n);
  return 0;
}
