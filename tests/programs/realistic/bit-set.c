// A set of bits against the plain definition, with a symbolic element.
//@ revisions: O0 O2 m32
//@ exhaustive: true
#include <limits.h>
#include <taw.h>

enum { WORD = sizeof(unsigned long) * CHAR_BIT };
static unsigned long set[3];

static void add(unsigned n) { set[n / WORD] |= 1ul << n % WORD; }
static void drop(unsigned n) { set[n / WORD] &= ~(1ul << n % WORD); }
static int has(unsigned n) { return set[n / WORD] >> n % WORD & 1; }

int main(void) {
  unsigned n = taw_u32("n"), m = taw_u32("m");
  taw_assume(n < 3 * WORD && m < 3 * WORD);
  add(n);
  taw_assert(has(n) && has(m) == (m == n));
  add(5);
  drop(n);
  taw_assert(!has(n) && has(5) == (n != 5));
  return 0;
}
