// A decoder of UTF-8: what it accepts, it gives back.
//@ exhaustive: true
//@ labels: one two three rejected
#include <stdint.h>
#include <taw.h>

static int decode(const unsigned char *s, uint32_t *out) {
  if (s[0] < 0x80) return *out = s[0], 1;
  if ((s[0] & 0xe0) == 0xc0 && (s[1] & 0xc0) == 0x80) {
    *out = (uint32_t)(s[0] & 31) << 6 | (s[1] & 63);
    return *out < 0x80 ? 0 : 2;
  }
  if ((s[0] & 0xf0) == 0xe0 && (s[1] & 0xc0) == 0x80 && (s[2] & 0xc0) == 0x80) {
    *out = (uint32_t)(s[0] & 15) << 12 | (uint32_t)(s[1] & 63) << 6 | (s[2] & 63);
    return *out < 0x800 || (*out >= 0xd800 && *out < 0xe000) ? 0 : 3;
  }
  return 0;
}

int main(void) {
  unsigned char s[3];
  uint32_t c;
  taw_symbolic(s, sizeof s, "s");
  switch (decode(s, &c)) {
    case 1: taw_assert(c < 0x80); taw_target("one"); break;
    case 2: taw_assert(c >= 0x80 && c < 0x800); taw_target("two"); break;
    case 3: taw_assert(c >= 0x800 && c < 0x10000); taw_target("three"); break;
    default: taw_target("rejected");
  }
  return 0;
}
