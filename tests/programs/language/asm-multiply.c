// Products and quotients in assembly, in all sizes; the carry says whether a product needs its upper half.
//@ revisions: O0 O2
#include <stdint.h>
#include <stdio.h>

static const uint64_t values[] = {1, 2, 3, 0x7f, 0x80, 0xff, 0x1234, 0xffff, 0x12345678, 0xffffffff, 0x8000000000000000, 0x123456789abcdef1, ~0ull};
enum { COUNT = sizeof values / sizeof *values };

static uint64_t hash;
static void mix(uint64_t x) { hash = (hash ^ x) * 0x100000001b3 + (hash >> 29); }
static void show(const char *name) { printf("%s %016llx\n", name, (unsigned long long)hash), hash = 0; }

#define PRODUCT(name, type)                                                                                             \
  do {                                                                                                                  \
    for (int i = 0; i < COUNT; i++)                                                                                     \
      for (int j = 0; j < COUNT; j++) {                                                                                 \
        type low, high, again = values[i];                                                                              \
        uint8_t c, o;                                                                                                   \
        __asm__(name " %5; setc %b2; seto %b3" : "=a"(low), "=d"(high), "=&q"(c), "=&q"(o) : "%0"((type)values[i]), "r"((type)values[j]) : "cc"); \
        mix(low), mix(high), mix(c | o << 1);                                                                           \
        __asm__("i" "mul %2, %0; setc %b1" : "+&r"(again), "=&q"(c) : "rm"((type)values[j]) : "cc");                    \
        mix(again), mix(c);                                                                                             \
        __asm__("imul %2, %1, %0" : "=r"(again) : "r"((type)values[j]), "i"(-23));                                      \
        mix(again);                                                                                                     \
      }                                                                                                                 \
    show(name);                                                                                                         \
  } while (0)

#define QUOTIENT(name, type, high_of)                                                                                   \
  do {                                                                                                                  \
    for (int i = 0; i < COUNT; i++)                                                                                     \
      for (int j = 0; j < COUNT; j++) {                                                                                 \
        type n = values[i], d = values[j], q, r;                                                                        \
        if (d == 0 || (high_of(n, d) && n == d)) continue;                                                              \
        __asm__(name " %4" : "=a"(q), "=d"(r) : "0"(n), "1"((type)high_of(n, d)), "rm"(d) : "cc");                      \
        mix(q), mix(r);                                                                                                 \
      }                                                                                                                 \
    show(name);                                                                                                         \
  } while (0)

#define BELOW(n, d) ((d)-1)
#define SIGN(n, d) ((n) >> (sizeof(n) * 8 - 1) ? -1 : 0)

int main(void) {
  PRODUCT("mulw", uint16_t);
  PRODUCT("mull", uint32_t);
  PRODUCT("mulq", uint64_t);
  PRODUCT("imulw", uint16_t);
  PRODUCT("imull", uint32_t);
  PRODUCT("imulq", uint64_t);
  QUOTIENT("divw", uint16_t, BELOW);
  QUOTIENT("divl", uint32_t, BELOW);
  QUOTIENT("divq", uint64_t, BELOW);
  for (int i = 0; i < COUNT; i++)
    for (int j = 0; j < COUNT; j++) {
      int32_t n = values[i], d = values[j], q, r;
      int64_t wide_n = values[i], wide_d = values[j], wide_q, wide_r;
      if (d == 0 || (d == -1 && n == INT32_MIN) || (wide_d == -1 && wide_n == INT64_MIN)) continue;
      __asm__("cltd; idivl %3" : "=&a"(q), "=&d"(r) : "0"(n), "r"(d) : "cc");
      __asm__("cqto; idivq %3" : "=&a"(wide_q), "=&d"(wide_r) : "0"(wide_n), "r"(wide_d) : "cc");
      mix(q), mix(r), mix(wide_q), mix(wide_r);
    }
  show("idiv");
  // Bytes use the two halves of one register.
  for (int i = 0; i < 256; i += 5) {
    uint16_t product, quotient;
    int16_t signed_product, signed_quotient;
    __asm__("mulb %b1" : "=a"(product) : "q"((uint8_t)(i * 7)), "0"((uint16_t)(0x5500 | i)) : "cc");
    __asm__("imulb %b1" : "=a"(signed_product) : "q"((uint8_t)(i * 7)), "0"((uint16_t)(0x5500 | i)) : "cc");
    __asm__("divb %b1" : "=a"(quotient) : "q"((uint8_t)(i | 0x80)), "0"((uint16_t)(i * 100)) : "cc");
    __asm__("idivb %b1" : "=a"(signed_quotient) : "q"((int8_t)(i / 4 + 60)), "0"((int16_t)(i * 20 - 2500)) : "cc");
    mix(product), mix(quotient), mix(signed_product), mix(signed_quotient);
  }
  show("bytes");
  return 0;
}
