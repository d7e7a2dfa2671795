// A structure inside of another is one of its type, and one that is passed by copy is, too.
//@ flags: --entry f --invariant range=range_ok --alias none
//@ signature: int f(struct range r, struct box *box)
//@ native: none
//@ rests-on: `range_ok` holds of every `range` that is passed
//@ labels: copy part
#include <taw.h>

struct range {
  int from, to;
};
struct box {
  int id;
  struct range x, y;
};

int range_ok(const struct range *r) { return r->from < r->to; }

int f(struct range r, struct box *box) {
  taw_assert(r.from < r.to);
  if (r.to == 5) taw_target("copy");
  if (!box) return 0;
  taw_assert(box->y.from < box->y.to);
  if (box->y.to == 5) taw_target("part");
  return box->id;
}
