// Bubble sort of N symbolic ints: N! paths.
#include <klee/klee.h>

#ifndef N
#define N 5
#endif

int main(void) {
  int a[N];
  klee_make_symbolic(a, sizeof a, "a");
  for (int i = 0; i < N - 1; i++)
    for (int j = 0; j < N - 1 - i; j++)
      if (a[j] > a[j + 1]) {
        int t = a[j];
        a[j] = a[j + 1];
        a[j + 1] = t;
      }
  return 0;
}
