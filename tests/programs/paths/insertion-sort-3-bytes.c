// The same by brute force over three two-bit numbers.
//@ brute-force
#include <taw.h>

int main(void) {
  unsigned char packed = taw_u8("packed");
  taw_assume(packed < 64);
  int a[3] = {packed & 3, packed >> 2 & 3, packed >> 4};
  for (int i = 1; i < 3; i++)
    for (int j = i; j > 0 && a[j - 1] > a[j]; j--) {
      int t = a[j];
      a[j] = a[j - 1];
      a[j - 1] = t;
    }
  return a[0];
}
