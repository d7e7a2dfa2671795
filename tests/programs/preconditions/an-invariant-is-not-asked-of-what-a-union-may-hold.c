// A union that may hold a structure may hold something else: nobody says that the invariant holds of it.
//@ flags: --entry is_odd --invariant range=ordered --alias none
//@ signature: int is_odd(void *p, void *q)
//@ rests-on: `ordered` holds of every `range` that is passed
//@ labels: odd
#include <taw.h>

struct range {
  int low, high;
};
union either {
  struct range range;
  long number;
};

int ordered(struct range *range) { return range->low <= range->high; }

int is_odd(union either *p, struct range *q) {
  if (q && q->low > q->high) taw_target("never");
  if (p && p->range.low > p->range.high) taw_target("odd");
  return 0;
}
