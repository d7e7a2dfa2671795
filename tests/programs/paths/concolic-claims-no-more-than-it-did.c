// A strategy that does not try every way, a bound, a path that is cut off: each is said, and the run is not exhaustive.
//@ revisions: rnd uniform hybrid inputs cfg bound cut
//@[rnd] flags: --search concolic(RND) --max-paths 20
//@[uniform] flags: --search concolic(RND-uniform) --max-paths 20
//@[hybrid] flags: --search concolic(hybrid) --max-paths 20
//@[inputs] flags: --search concolic(random-input) --max-paths 20
//@[cfg] flags: --search concolic(CFG) --max-paths 20
//@[bound] flags: --search concolic(DFS(2))
//@[cut] flags: --search concolic(DFS) --max-path-instructions 60
//@ exhaustive: false
#include <taw.h>

int main(void) {
  int n = 0;
  for (int i = 0; i < 6; i++)
    if (taw_bool("b")) n++;
  return n;
}
