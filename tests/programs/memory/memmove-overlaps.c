// memmove with a symbolic distance, in both directions.
//@ exhaustive: true
#include <string.h>
#include <taw.h>

int main(void) {
  char a[10] = "012345678";
  unsigned from = taw_u32("from"), to = taw_u32("to");
  taw_assume(from <= 5 && to <= 5);
  memmove(a + to, a + from, 4);
  for (int i = 0; i < 4; i++) taw_assert(a[to + i] == (char)('0' + from + i));
  return 0;
}
