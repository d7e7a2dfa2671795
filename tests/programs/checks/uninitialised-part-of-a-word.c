// Three bytes of a word are set and one is not.
//@ flags: --check uninit
//@ sanitize: memory
//@ paths: 0 completed, 1 errored
#include <stdint.h>

int main(void) {
  unsigned char a[4];
  a[0] = a[1] = a[3] = 0;
  uint32_t volatile *p = (uint32_t volatile *)a;
  if (*p == 0)  //~ BUG uninitialised-use
    return 1;
  return 0;
}
