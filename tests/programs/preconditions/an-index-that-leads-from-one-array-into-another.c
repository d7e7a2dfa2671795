// An index that is too large for the array that is meant may lead into another one that the pointer might have meant.
//@ flags: --entry f --array node.kids=node.n --alias none --max-array 2 --assume=t&&t->n==2&&i<2
//@ signature: int f(const struct node *t, unsigned i)
//@ rests-on: `node.kids` leads to exactly `node.n` elements
//@ rests-on: `t&&t->n==2&&i<2` holds where `f` starts
//@ exhaustive: false
#include <taw.h>

struct node {
  struct node *kids;
  int n;
};

int f(const struct node *t, unsigned i) {
  const struct node *kid = &t->kids[i];
  if (kid->n == 0) return 0;
  return kid->kids[kid->n - 1].n > 0;
}
