// A list that a union leads to is walked as far as it goes; one that holds a number where a list is expected is to blame.
//@ flags: --entry length --alias none --max-nesting 2
//@ signature: int length(void *v)
//@ exhaustive: false
//@ target: label:one reached
//@ target: label:two reached
#include <taw.h>

struct cell {
  _Bool is_pair;
  union {
    int atom;
    struct {
      int *car;
      struct cell *cdr;
    } pair;
  };
};

int length(struct cell *c) {
  int n = 0;
  for (; c && c->is_pair; c = c->pair.cdr) n++; //~ BUG wild-dereference
  if (n == 1) taw_target("one");
  if (n == 2) taw_target("two");
  return n;
}
