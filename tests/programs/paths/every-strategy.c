// The strategy changes the order, never the set of paths.
//@ revisions: dfs bfs random-state random-path covnew klee weighted closest least sage sdse robin phases
//@[dfs] flags: --search DFS
//@[bfs] flags: --search BFS
//@[random-state] flags: --search random-state --seed 3
//@[random-path] flags: --search RP --seed 4
//@[covnew] flags: --search coverage-new --seed 5
//@[klee] flags: --search KLEE --seed 6
//@[weighted] flags: --search path-weighted --seed 7
//@[closest] flags: --search closest-to-uncovered --seed 8
//@[least] flags: --search least-covered --seed 9
//@[sage] flags: --search SAGE
//@[sdse] flags: --search SDSE
//@[robin] flags: --search B(RR(RP,SDSE-rr,SDSE-age))
//@[phases] flags: --search Ph(SDSE-pr,SDSE-intra,3)
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
