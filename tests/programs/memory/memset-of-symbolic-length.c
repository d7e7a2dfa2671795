// memset of symbolic offset, length and value.
//@ exhaustive: true
#include <string.h>
#include <taw.h>

int main(void) {
  unsigned char a[6] = {0}, v = taw_u8("v");
  unsigned n = taw_u32("n"), o = taw_u32("o"), k = taw_u32("k");
  taw_assume(o < 6 && n <= 6 - o && k < 6);
  memset(a + o, v, n);
  unsigned char expected = 0;
  if (k >= o && k < o + n) expected = v;
  taw_assert(a[k] == expected);
  return 0;
}
