// An index read from symbolic memory.
//@ paths: 2 completed, 0 errored
//@ labels: closed
#include <taw.h>

int main(void) {
  unsigned char permutation[4];
  taw_symbolic(permutation, sizeof permutation, "permutation");
  for (int i = 0; i < 4; i++) taw_assume(permutation[i] < 4);
  unsigned i = 0;
  i = permutation[i];
  i = permutation[i];
  i = permutation[i];
  if (i == 3) taw_target("closed");
  return 0;
}
