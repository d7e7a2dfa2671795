// Open addressing with symbolic keys: what was put in is found.
//@ exhaustive: true
#include <taw.h>

enum { SLOTS = 4 };
static int used[SLOTS];
static unsigned keys[SLOTS], values[SLOTS];

static unsigned slot_of(unsigned key) {
  unsigned s = key % SLOTS;
  for (int i = 0; i < SLOTS && used[s] && keys[s] != key; i++) s = (s + 1) % SLOTS;
  return s;
}

int main(void) {
  unsigned a = taw_u8("a"), b = taw_u8("b");
  unsigned s = slot_of(a);
  used[s] = 1, keys[s] = a, values[s] = 10;
  s = slot_of(b);
  used[s] = 1, keys[s] = b, values[s] = 20;
  taw_assert(values[slot_of(b)] == 20);
  taw_assert(values[slot_of(a)] == (a == b ? 20 : 10));
  return 0;
}
