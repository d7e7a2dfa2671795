// Nested loops bounded by inputs.
//@ brute-force
#include <taw.h>

int main(void) {
  unsigned char n = taw_u8("n"), m = taw_u8("m");
  taw_assume(n < 4);
  taw_assume(m < 5);
  int count = 0;
  for (int i = 0; i < n; i++)
    for (int j = i; j < m; j++) count++;
  return count;
}
