// Each element of an array is a structure of its own; at an unknown index, all of them.
//@ flags: --entry pick --invariant item=item_ok --array all=n --assume=n<=2
//@ signature: int pick(struct item *all, unsigned i, unsigned n)
//@ rests-on: `item_ok` holds of every `item` that is passed
//@ rests-on: `all` leads to exactly `n` elements where `pick` starts
//@ rests-on: `n<=2` holds where `pick` starts
//@ labels: two
#include <taw.h>

struct item {
  signed char kind;
};

_Bool item_ok(struct item *i) { return i->kind > 0; }

int pick(struct item *all, unsigned i, unsigned n) {
  if (i >= n) return 0;
  taw_assert(all[i].kind > 0);
  if (n == 2 && all[i].kind == 2) taw_target("two");
  return all[i].kind + 10 * (int)i;
}
