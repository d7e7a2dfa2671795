// The same with integers: an address that was cast, moved far and cast back is its array's.
//@ revisions: O0 O2 m32
//@ native: none
#include <stdint.h>
#include <stdlib.h>
#include <taw.h>

int main(void) {
  char *left = malloc(40), *here = malloc(40), *right = malloc(40);
  unsigned char n = taw_u8("n");
  left[0] = right[0] = 1;
  for (int i = 0; i < 40; i++) here[i] = (char)i;
  if (n >= 60 && n < 100) {
    char *p = (char *)((uintptr_t)here - 60);
    taw_assert(p[n] == n - 60);
    taw_assert(*(char *)((uintptr_t)here - 60 + n) == n - 60);
    uintptr_t moved = (uintptr_t)here + 200;
    taw_assert(((char *)moved)[n - 260] == n - 60);
    return 0;
  }
  return *(char *)((uintptr_t)here - 60 + n);  //~ BUG out-of-bounds-read
}
