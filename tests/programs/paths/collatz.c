// A loop whose length depends on the input.
//@ brute-force
#include <taw.h>

int main(void) {
  unsigned n = taw_u8("n");
  taw_assume(n >= 1);
  taw_assume(n <= 40);
  int steps = 0;
  while (n != 1) {
    n = n % 2 ? 3 * n + 1 : n / 2;
    steps++;
  }
  return steps;
}
