// qsort with a comparator of the program's, on symbolic numbers.
//@ exhaustive: any
//@ paths: 6 completed, 0 errored
#include <stdlib.h>
#include <taw.h>

static int compare(const void *a, const void *b) {
  int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}

int main(void) {
  int a[3];
  taw_symbolic(a, sizeof a, "a");
  qsort(a, 3, sizeof *a, compare);
  taw_assert((a[0] <= a[1]) & (a[1] <= a[2]));
  return 0;
}
