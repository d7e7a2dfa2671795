// What the headers of gmp and coreutils do in assembly is what C does with 128 bits, for all inputs.
//@ revisions: O0 O2
//@ paths: 1 completed, 0 errored
#include <stdint.h>
#include <taw.h>

typedef unsigned __int128 wide;

int main(void) {
  uint64_t ah = taw_u64("ah"), al = taw_u64("al"), bh = taw_u64("bh"), bl = taw_u64("bl");
  uint64_t high, low;
  wide a = (wide)ah << 64 | al, b = (wide)bh << 64 | bl;

  __asm__("addq %5,%q1\n\tadcq %3,%q0" : "=r"(high), "=&r"(low) : "0"(ah), "rme"(bh), "%1"(al), "rme"(bl));
  taw_assert(((wide)high << 64 | low) == (wide)(a + b));

  __asm__("subq %5,%q1\n\tsbbq %3,%q0" : "=r"(high), "=&r"(low) : "0"(ah), "rme"(bh), "1"(al), "rme"(bl));
  taw_assert(((wide)high << 64 | low) == (wide)(a - b));

  __asm__("mulq %3" : "=a"(low), "=d"(high) : "%0"(al), "rm"(bl));
  taw_assert(((wide)high << 64 | low) == (wide)al * bl);

  // Three limbs: the carry goes through.
  uint64_t r0 = al, r1 = ah, r2 = 0;
  __asm__("addq %3,%0; adcq %4,%1; adcq $0,%2" : "+&r"(r0), "+&r"(r1), "+&r"(r2) : "r"(bl), "r"(bh) : "cc");
  taw_assert(r2 == (wide)(a + b) < a);

  int8_t less;
  __asm__("cmpq %2,%1; setl %0" : "=q"(less) : "r"(al), "r"(bl) : "cc");
  taw_assert(less == ((int64_t)al < (int64_t)bl));
  return 0;
}
