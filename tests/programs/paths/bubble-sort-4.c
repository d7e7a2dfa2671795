// 4! orders; equal elements follow the path of one of them.
//@ paths: 24 completed, 0 errored
#include <taw.h>

int main(void) {
  int a[4];
  taw_symbolic(a, sizeof a, "a");
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3 - i; j++)
      if (a[j] > a[j + 1]) {
        int t = a[j];
        a[j] = a[j + 1];
        a[j + 1] = t;
      }
  for (int i = 0; i < 3; i++) taw_assert(a[i] <= a[i + 1]);
  return 0;
}
