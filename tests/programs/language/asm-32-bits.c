// The same on a 32-bit machine: pairs of 32-bit registers, and cpuid with the register for position-independent code kept.
//@ revisions: m32
//@ paths: 1 completed, 0 errored
#include <stdint.h>
#include <taw.h>

int main(void) {
  uint32_t ah = taw_u32("ah"), al = taw_u32("al"), bh = taw_u32("bh"), bl = taw_u32("bl"), high, low;
  uint64_t a = (uint64_t)ah << 32 | al, b = (uint64_t)bh << 32 | bl;
  __asm__("addl %5,%k1\n\tadcl %3,%k0" : "=r"(high), "=&r"(low) : "0"(ah), "g"(bh), "%1"(al), "g"(bl));
  taw_assert(((uint64_t)high << 32 | low) == a + b);
  __asm__("subl %5,%k1\n\tsbbl %3,%k0" : "=r"(high), "=&r"(low) : "0"(ah), "g"(bh), "1"(al), "g"(bl));
  taw_assert(((uint64_t)high << 32 | low) == a - b);
  __asm__("mull %3" : "=a"(low), "=d"(high) : "%0"(al), "rm"(bl));
  taw_assert(((uint64_t)high << 32 | low) == (uint64_t)al * bl);
  // How many of the three highest bytes are zero, as gmp asks.
  uint32_t shift;
  __asm__("cmpl  $0x1000000, %1\nsbbl  %0, %0\ncmpl  $0x10000, %1\nsbbl  $0, %0\ncmpl  $0x100, %1\nsbbl  $0, %0\n" : "=&r"(shift) : "r"(al));
  taw_assert(-shift == (al < 0x1000000) + (al < 0x10000) + (al < 0x100));
  uint32_t cell = 7, *p = &cell;
  __asm__("movl (%1), %0; leal 1(%0,%0,2), %0" : "=&r"(low) : "r"(p), "m"(cell));
  taw_assert(low == 22);
  return 0;
}
