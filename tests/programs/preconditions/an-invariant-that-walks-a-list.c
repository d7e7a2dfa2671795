// A predicate that walks a list is not started again for what it has begun to check.
//@ flags: --entry find --invariant node=sorted --max-nesting 3
//@ signature: int find(const struct node *list, int wanted)
//@ rests-on: `sorted` holds of every `node` that is passed
//@ exhaustive: false
//@ labels: found
#include <taw.h>

struct node {
  int value;
  struct node *next;
};

int sorted(const struct node *n) { return !n || !n->next || (n->value < n->next->value && sorted(n->next)); }

int find(const struct node *list, int wanted) {
  int before = list ? list->value : 0;
  for (const struct node *n = list; n; n = n->next) {
    taw_assert(n == list || before < n->value);
    before = n->value;
    if (n != list && n->value == wanted) return taw_target("found"), 1;
  }
  return 0;
}
