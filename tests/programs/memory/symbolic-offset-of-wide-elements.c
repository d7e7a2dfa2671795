// 8-byte elements; only aligned offsets arise.
//@ paths: 1 completed, 0 errored
#include <taw.h>

int main(void) {
  long long a[6] = {11, 22, 33, 44, 55, 66};
  unsigned i = taw_u32("i");
  taw_assume(i < 5);
  taw_assert(a[i + 1] - a[i] == 11);
  a[i] += a[i + 1];
  taw_assert(a[i] == (long long)(22 * i + 33));
  return 0;
}
