// Pointer arithmetic wraps at the width of the target's pointers.
//@ flags: --cflag=-m32
//@ native: -m32
//@ paths: 1 completed, 0 errored
#include <stdint.h>
#include <taw.h>

int main(void) {
  char a[4] = {1, 2, 3, 4};
  uintptr_t p = (uintptr_t)a;
  uintptr_t q = p + 0xffffffffu;
  taw_assert(q == p - 1);
  taw_assert(*(char *)(q + 2) == 2);
  return 0;
}
