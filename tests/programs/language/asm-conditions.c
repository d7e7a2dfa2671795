// Every condition, as a byte, as a move and as an output, after a comparison and after a sum.
//@ revisions: O0 O2
#include <stdint.h>
#include <stdio.h>

static const int64_t values[] = {0, 1, -1, 2, INT64_MAX, INT64_MIN, INT32_MAX, INT32_MIN, 0x123456789, -77};
enum { COUNT = sizeof values / sizeof *values };

static uint64_t hash;
static void mix(uint64_t x) { hash = (hash ^ x) * 0x100000001b3 + (hash >> 29); }

#define CONDITION(code)                                                                                                 \
  do {                                                                                                                  \
    hash = 0;                                                                                                           \
    for (int i = 0; i < COUNT; i++)                                                                                     \
      for (int j = 0; j < COUNT; j++) {                                                                                 \
        int64_t a = values[i], b = values[j], moved = 1, sum = a;                                                       \
        uint32_t narrow = 3;                                                                                            \
        uint8_t set;                                                                                                    \
        int flag;                                                                                                       \
        __asm__("cmpq %4, %3; set" code " %0; cmov" code " %4, %1; cmov" code "l %k3, %2"                               \
                : "=&q"(set), "+&r"(moved), "+&r"(narrow)                                                               \
                : "r"(a), "r"(b)                                                                                        \
                : "cc");                                                                                                \
        mix(set), mix(moved), mix(narrow);                                                                              \
        __asm__("addq %2, %0" : "+r"(sum), "=@cc" code(flag) : "r"(b));                                                 \
        mix(sum), mix(flag);                                                                                            \
      }                                                                                                                 \
    printf("%s %016llx\n", code, (unsigned long long)hash);                                                             \
  } while (0)

int main(void) {
  CONDITION("o"); CONDITION("no"); CONDITION("b"); CONDITION("nc"); CONDITION("c"); CONDITION("ae");
  CONDITION("e"); CONDITION("ne"); CONDITION("z"); CONDITION("nz"); CONDITION("be"); CONDITION("a");
  CONDITION("s"); CONDITION("ns"); CONDITION("p"); CONDITION("np");
  CONDITION("l"); CONDITION("ge"); CONDITION("le"); CONDITION("g");
  return 0;
}
