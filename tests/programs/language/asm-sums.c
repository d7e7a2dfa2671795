// Sums, differences and logic in assembly, in all sizes, with the flags that they leave.
//@ revisions: O0 O2
#include <stdint.h>
#include <stdio.h>

static const uint64_t values[] = {0, 1, 2, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x12345678, 0x7fffffff, 0x80000000, 0xffffffff,
                                  0x123456789abcdef0, 0x7fffffffffffffff, 0x8000000000000000, 0xffffffffffffffff};
enum { COUNT = sizeof values / sizeof *values };

static uint64_t hash;
static void mix(uint64_t x) { hash = (hash ^ x) * 0x100000001b3 + (hash >> 29); }

#define FLAGS "\n\tsetc %b1\n\tsetz %b2\n\tsets %b3\n\tseto %b4\n\tsetp %b5"

// The carry is set before, so that those that read it or leave it alone show it.
#define BINARY(name, type)                                                                                              \
  do {                                                                                                                  \
    hash = 0;                                                                                                           \
    for (int i = 0; i < COUNT; i++)                                                                                     \
      for (int j = 0; j < COUNT; j++)                                                                                   \
        for (uint8_t carry = 0; carry < 2; carry++) {                                                                   \
          type a = values[i], b = values[j];                                                                            \
          uint8_t c, z, s, o, p;                                                                                        \
          __asm__("addb $255, %b6\n\t" name " %7, %0" FLAGS                                                             \
                  : "+&r"(a), "=&q"(c), "=&q"(z), "=&q"(s), "=&q"(o), "=&q"(p)                                          \
                  : "q"(carry), "r"(b)                                                                                  \
                  : "cc");                                                                                              \
          mix(a), mix(c | z << 1 | s << 2 | o << 3 | p << 4);                                                           \
        }                                                                                                               \
    printf("%s %016llx\n", name, (unsigned long long)hash);                                                             \
  } while (0)

#define UNARY(name, type)                                                                                               \
  do {                                                                                                                  \
    hash = 0;                                                                                                           \
    for (int i = 0; i < COUNT; i++)                                                                                     \
      for (uint8_t carry = 0; carry < 2; carry++) {                                                                     \
        type a = values[i];                                                                                             \
        uint8_t c, z, s, o, p;                                                                                          \
        __asm__("addb $255, %b6\n\t" name " %0" FLAGS                                                                   \
                : "+&r"(a), "=&q"(c), "=&q"(z), "=&q"(s), "=&q"(o), "=&q"(p)                                            \
                : "q"(carry)                                                                                            \
                : "cc");                                                                                                \
        mix(a), mix(c | z << 1 | s << 2 | o << 3 | p << 4);                                                             \
      }                                                                                                                 \
    printf("%s %016llx\n", name, (unsigned long long)hash);                                                             \
  } while (0)

#define SIZES(kind, name) \
  kind(name "b", uint8_t); \
  kind(name "w", uint16_t); \
  kind(name "l", uint32_t); \
  kind(name "q", uint64_t)

int main(void) {
  SIZES(BINARY, "add");
  SIZES(BINARY, "adc");
  SIZES(BINARY, "sub");
  SIZES(BINARY, "sbb");
  SIZES(BINARY, "cmp");
  SIZES(BINARY, "and");
  SIZES(BINARY, "or");
  SIZES(BINARY, "xor");
  SIZES(BINARY, "test");
  SIZES(UNARY, "inc");
  SIZES(UNARY, "dec");
  SIZES(UNARY, "neg");
  SIZES(UNARY, "not");
  return 0;
}
