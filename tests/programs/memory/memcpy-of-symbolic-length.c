// Bytes beyond the length keep their values.
//@ exhaustive: true
#include <string.h>
#include <taw.h>

int main(void) {
  char from[8], to[8];
  unsigned n = taw_u32("n"), k = taw_u32("k");
  for (int i = 0; i < 8; i++) from[i] = 1, to[i] = 2;
  taw_assume(n <= 8 && k < 8);
  memcpy(to, from, n);
  taw_assert(to[k] == (k < n ? 1 : 2));
  return 0;
}
