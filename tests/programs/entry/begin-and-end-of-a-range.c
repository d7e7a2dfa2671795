// A pointer may be one past the end of what another points at; nobody passes that to have it read.
//@ flags: --entry positive --max-array 2
//@ signature: int positive(const int *begin, const int *end)
//@ exhaustive: false
//@ labels: empty all
#include <taw.h>

int positive(const int *begin, const int *end) {
  int n = 0;
  if (!begin || !end) return -2;
  if (begin == end) taw_target("empty");
  for (; begin != end; begin++) {
    if (*begin < 0) return -1;  //~ BUG out-of-bounds-read
    n++;
  }
  if (n == 2) taw_target("all");
  return n;
}
