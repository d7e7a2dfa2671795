// A table of functions indexed by an input.
//@ revisions: O0 O2
//@ exhaustive: true
//@ labels: one two three
#include <taw.h>

static int one(int x) {
  taw_target("one");
  return x + 1;
}
static int two(int x) {
  taw_target("two");
  return x + 2;
}
static int three(int x) {
  taw_target("three");
  return x + 3;
}

int main(void) {
  static int (*const table[])(int) = {one, two, three};
  unsigned i = taw_u32("i");
  taw_assume(i < 3);
  int r = table[i](10);
  taw_assert(r == 11 + (int)i);
  return 0;
}
