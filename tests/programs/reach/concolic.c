// Targets met on the way of concolic runs, and one that no way of any decision leads to.
//@ revisions: dfs ippc
//@[dfs] flags: --search concolic(DFS)
//@[ippc] flags: --search concolic(IPPC)
#include <taw.h>

static int check(int a, int b) {
  if (a * 3 == b + 7) {
    if (b == 1001) return 2;  //~ REACHED
    return 1;                 //~ REACHED
  }
  return 0;
}

int main(void) {
  int a = taw_int("a"), b = taw_int("b");
  taw_assume(a > 0 && a < 1000 && b > 0 && b < 4000);
  int found = check(a, b);
  if (found && b % 3 == 0) return 8;
  if (found == 2) return 9;  //~ REACHED if a == 336
  if (found == 2)
    return 7;  //~ UNREACHABLE
  return found;
}
