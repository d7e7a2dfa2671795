// Quicksort of four symbolic numbers leaves them sorted on every path.
//@ exhaustive: true
#include <taw.h>

static void sort(int *a, int low, int high) {
  if (low >= high) return;
  int pivot = a[high], at = low;
  for (int i = low; i < high; i++)
    if (a[i] < pivot) {
      int t = a[i];
      a[i] = a[at];
      a[at++] = t;
    }
  a[high] = a[at];
  a[at] = pivot;
  sort(a, low, at - 1);
  sort(a, at + 1, high);
}

int main(void) {
  int a[4];
  taw_symbolic(a, sizeof a, "a");
  sort(a, 0, 3);
  for (int i = 0; i < 3; i++) taw_assert(a[i] <= a[i + 1]);
  return 0;
}
