// A run stopped by a limit is not exhaustive and does not claim what it has not seen.
//@ flags: --max-paths 1 --search DFS
//@ exhaustive: false
#include <taw.h>

int main(void) {
  int n = 0;
  for (int i = 0; i < 6; i++)
    if (taw_bool("b")) n++;
  return n;
}
