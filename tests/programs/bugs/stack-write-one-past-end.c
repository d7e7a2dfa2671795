// The off-by-one bound lets exactly one index through; the other paths must stay clean.
//@ revisions: dfs bfs klee
//@[dfs] flags: --search DFS
//@[bfs] flags: --search BFS
//@[klee] flags: --search KLEE --seed 7
//@ paths: 2 completed, 1 errored
#include <taw.h>

int main(void) {
  int a[4] = {0};
  unsigned i = taw_u32("i");
  taw_assume(i < 5);
  if (i == 2) return 1;
  a[i] = 7;  //~ BUG out-of-bounds-write: 4 bytes at offset 16 of `a`, which has 16 bytes
             //~| WITNESS i == 4
  return 0;
}
