// Steps in order: each may have a condition, of the state when it is passed.
//@ revisions: O0 O2
//@ target: one-after-another.c:14 if x == 3 then one-after-another.c:18 if y == 4 then add reached
//@ target: one-after-another.c:14 if x == 3 then one-after-another.c:18 if y == 5 unreachable
//@ target: one-after-another.c:18 then one-after-another.c:14 unreachable
//@ target: add then one-after-another.c:18 if x == 9 reached
//@ target: add then one-after-another.c:18 if x == 8 unreachable
#include <taw.h>

__attribute__((noinline)) static int add(int a, int b) { return a + b; }

int main(void) {
  int x = taw_int("x");
  int y = x;  //~ REACHED
  if (x > 8) y = add(x, 1);
  else if (x > 0)
    y = x + 1;
  x += y - y;
  if (x == 3) y = add(y, 1);
  return y;
}
