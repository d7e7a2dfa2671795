// Shifts, rotations, searches and counts in assembly.
//@ revisions: O0 O2
#include <stdint.h>
#include <stdio.h>

static const uint64_t values[] = {1, 2, 0x80, 0xa5, 0x8001, 0x1234, 0x80000001, 0x12345678, 0x8000000000000000, 0x123456789abcdef0, ~0ull, 0};
enum { COUNT = sizeof values / sizeof *values };

static uint64_t hash;
static void mix(uint64_t x) { hash = (hash ^ x) * 0x100000001b3 + (hash >> 29); }
static void show(const char *name) { printf("%s %016llx\n", name, (unsigned long long)hash), hash = 0; }

#define SHIFT(name, type)                                                                                               \
  do {                                                                                                                  \
    for (int i = 0; i < COUNT; i++) {                                                                                   \
      for (unsigned n = 0; n < 70; n++) {                                                                               \
        type a = values[i];                                                                                             \
        __asm__(name " %b1, %0" : "+r"(a) : "c"(n) : "cc");                                                             \
        mix(a);                                                                                                         \
      }                                                                                                                 \
      type once = values[i], three = values[i];                                                                         \
      uint8_t c, d;                                                                                                     \
      __asm__(name " %0; setc %b1" : "+&r"(once), "=&q"(c) : : "cc");                                                   \
      __asm__(name " %2, %0; setc %b1" : "+&r"(three), "=&q"(d) : "I"(3) : "cc");                                       \
      mix(once), mix(three), mix(c | d << 1);                                                                           \
    }                                                                                                                   \
    show(name);                                                                                                         \
  } while (0)

// The destination of the first two is only changed if there is a bit.
#define COUNT_BITS(name, type)                                                                                          \
  do {                                                                                                                  \
    for (int i = 0; i < COUNT; i++) {                                                                                   \
      type a = values[i], found = 77;                                                                                   \
      uint8_t z;                                                                                                        \
      __asm__(name " %2, %0; setz %b1" : "+&r"(found), "=&q"(z) : "r"(a) : "cc");                                       \
      mix(found), mix(z);                                                                                               \
    }                                                                                                                   \
    show(name);                                                                                                         \
  } while (0)

#define SIZES(kind, name) \
  kind(name "w", uint16_t); \
  kind(name "l", uint32_t); \
  kind(name "q", uint64_t)

int main(void) {
  SHIFT("shlb", uint8_t);
  SIZES(SHIFT, "shl");
  SHIFT("shrb", uint8_t);
  SIZES(SHIFT, "shr");
  SHIFT("sarb", uint8_t);
  SIZES(SHIFT, "sar");
  SHIFT("rolb", uint8_t);
  SIZES(SHIFT, "rol");
  SHIFT("rorb", uint8_t);
  SIZES(SHIFT, "ror");
  SIZES(COUNT_BITS, "bsf");
  SIZES(COUNT_BITS, "bsr");
  SIZES(COUNT_BITS, "tzcnt");
  SIZES(COUNT_BITS, "lzcnt");
  SIZES(COUNT_BITS, "popcnt");
  COUNT_BITS("rep; bsf", uint32_t);
  COUNT_BITS("rep; bsr", uint64_t);
  uint64_t a = values[9];
  uint32_t b = values[7];
  __asm__("bswap %0; bswapl %1" : "+r"(a), "+r"(b));
  printf("%llx %x\n", (unsigned long long)a, b);
  return 0;
}
