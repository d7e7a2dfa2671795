// The triangle classifier on small sides; the count is brute-forced.
//@ brute-force
#include <taw.h>

static int classify(int a, int b, int c) {
  if (a <= 0 || b <= 0 || c <= 0) return 4;
  if (a + b <= c || a + c <= b || b + c <= a) return 4;
  if (a == b && b == c) return 1;
  if (a == b || b == c || a == c) return 2;
  return 3;
}

int main(void) {
  unsigned char packed = taw_u8("ab"), third = taw_u8("c");
  taw_assume(third < 16);
  return classify(packed & 15, packed >> 4, third);
}
