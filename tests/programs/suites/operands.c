// Every operand of && and || is a branch, wherever its value goes, and so is the condition of ?:.
#include <taw.h>

static int both(int a, int b) { return a > 3 && b < 7; }

int main(void) {
  int a = taw_int("a"), b = taw_int("b"), n = 0;
  taw_assume(b <= 5);
  while (n < 3 && a <= 100 && b <= 5)
    n++;
  int r = a > 3 && (b > 1 || a == 77) && !(b == 4 || a == 8);
  int chosen = a == 9 ? 1 : 2;
  do
    n--;
  while (n > 0 && !(a > 5 && b != 2));
  for (int i = 0; i < 2 && i < b; i++)
    n += both(a, b);
  return r + chosen == 3 && n > 1 ? 0 : 0;
}
