// Truncation, sign and zero extension between all widths.
//@ revisions: O0 O2 m32
//@ paths: 1 completed, 0 errored
#include <stdint.h>
#include <taw.h>

int main(void) {
  int8_t c = taw_i8("c");
  taw_assert((int64_t)c == (int)c);
  taw_assert((uint8_t)c == (unsigned)((int)c & 255));
  taw_assert((int16_t)(uint8_t)c >= 0);
  taw_assert((uint64_t)(int64_t)c >> 32 == ((c >> 7) & 0xffffffffu));
  taw_assert((int8_t)(c + 256) == c);
  taw_assert((_Bool)c == (c != 0));
  return 0;
}
