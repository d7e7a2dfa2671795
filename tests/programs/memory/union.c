// The members of a union share their bytes.
//@ revisions: O0 O2 m32
//@ paths: 1 completed, 0 errored
#include <stdint.h>
#include <taw.h>

union u {
  uint32_t word;
  uint16_t half[2];
  uint8_t byte[4];
};

int main(void) {
  union u u;
  u.word = taw_u32("word");
  taw_assert(u.half[0] == (uint16_t)u.word);
  taw_assert(u.byte[3] == u.word >> 24);
  u.byte[1] = 0xab;
  taw_assert((u.word & 0xff00) == 0xab00);
  return 0;
}
