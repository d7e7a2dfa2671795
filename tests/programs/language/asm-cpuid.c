// The machine is a plain one: its highest leaf is 1, and it has no features that need asking for.
//@ native: none
//@ paths: 1 completed, 0 errored
#include <cpuid.h>
#include <taw.h>

int main(void) {
  unsigned a, b, c, d;
  taw_assert(__get_cpuid_max(0, 0) == 1);
  taw_assert(__get_cpuid(1, &a, &b, &c, &d) == 1);
  taw_assert((c & (bit_AVX | bit_SSE4_2 | bit_PCLMUL | bit_OSXSAVE)) == 0 && d == 0);
  taw_assert(__get_cpuid_count(7, 0, &a, &b, &c, &d) == 0);
  taw_assert(__get_cpuid_max(0x80000000, 0) == 0);
  return 0;
}
