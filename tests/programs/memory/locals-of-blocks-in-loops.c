// What a block's locals were does not matter when it runs again; pointers within one run, into outer blocks and into calls are fine.
//@ revisions: O0 O1 O2
//@[O1] flags: --cflag -O1
//@ paths: 1 completed, 0 errored
#include <taw.h>

struct item { int value; struct item *outer; };
static int sum(const struct item *item) {
  int all = 0;
  for (; item; item = item->outer) all += item->value;
  return all;
}
static void set(int *p, int v) { *p = v; }

static int nested(int depth, struct item *outer) {
  int all = 0;
  for (int i = 0; i < 3; i++) {
    struct item here = {i, outer};
    int *inside = &here.value;
    { int copy = 0; set(&copy, *inside); all += copy; }
    all += depth ? nested(depth - 1, &here) : sum(&here);
    switch (i) {
      int skipped;
      case 1: set(&skipped, i); all += skipped; break;
      default: skipped = 2; set(&skipped, 3); all += skipped;
    }
  }
  return all;
}

int main(void) {
  int x = taw_int("x"), again = 0, *kept = 0;
  taw_assume(x >= 0 && x < 4);
  struct item root = {x, 0};
  int got = nested(3, &root);
again:;
  int here = again;
  kept = &here;
  if (again++ < 3) goto again;
  for (int i = 0; i < 4; i++) {
    int a[4] = {i, i + 1, i + 2, i + 3};
    int *p = a + x;
    taw_assert(*p == i + x);
    got += (int[]){1, 2, 3}[i % 3];
  }
  taw_assert(*kept == 3);
  return got & 63;
}
