// The strategy changes the order, never the set of paths.
//@ revisions: dfs bfs random-state random-path covnew klee
//@[dfs] flags: --search DFS
//@[bfs] flags: --search BFS
//@[random-state] flags: --search random-state --seed 3
//@[random-path] flags: --search RP --seed 4
//@[covnew] flags: --search coverage-new --seed 5
//@[klee] flags: --search KLEE --seed 6
//@ brute-force
#include <taw.h>

int main(void) {
  unsigned char a = taw_u8("a"), b = taw_u8("b");
  int n = 0;
  while (a > b) {
    a -= 37;
    n++;
    if (n > 5) break;
    if (a % 3 == 0) b++;
  }
  return n;
}
