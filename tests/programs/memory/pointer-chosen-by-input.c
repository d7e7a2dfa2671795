// A symbolic pointer that may point to several objects.
//@ exhaustive: true
//@ labels: wrote
#include <taw.h>

static int a = 1, b = 2, c = 3;

int main(void) {
  int *table[3] = {&a, &b, &c};
  unsigned i = taw_u32("i");
  taw_assume(i < 3);
  int *p = table[i];
  taw_assert(*p == (int)i + 1);
  *p = 50;
  taw_assert(a + b + c == 56 - (int)(i + 1));
  taw_target("wrote");
  return 0;
}
