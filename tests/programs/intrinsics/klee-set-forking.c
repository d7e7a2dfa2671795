// Without forking one side is taken and the run is not exhaustive in what it says of the other.
//@ flags: --search DFS
//@ exhaustive: any
#include <klee/klee.h>

int main(void) {
  int x = klee_int("x"), n = 0;
  klee_set_forking(0);
  if (x > 3) n++;
  if (x > 5) n++;
  klee_set_forking(1);
  return n;
}
