// The class invariant of a binary search tree over a pool of 4 nodes, all of it symbolic: links are pool indices, the
// k-th visited node must be node k, keys are ordered, size counts the nodes.
#include <klee/klee.h>

#ifndef POOL
#define POOL 4
#endif
enum { NIL = -1 };

struct tree {
  int root, size;
  struct {
    int key, left, right;
  } pool[POOL];
};

/* Bounds are exclusive, null if absent; `fresh` is the next node in pre-order. */
static int visit(const struct tree *t, int link, int *fresh, const int *low, const int *high) {
  if (link == NIL) return 1;
  int k = *fresh;
  if (k >= POOL) return 0;
  if (link != k) return 0;
  *fresh = k + 1;
  const int *key = &t->pool[k].key;
  if (low && !(*low < *key)) return 0;
  if (high && !(*key < *high)) return 0;
  return visit(t, t->pool[k].left, fresh, low, key) && visit(t, t->pool[k].right, fresh, key, high);
}

int main(void) {
  struct tree t;
  int fresh = 0;
  klee_make_symbolic(&t, sizeof t, "t");
  if (!visit(&t, t.root, &fresh, 0, 0)) return 0;
  return t.size == fresh ? 1 : 2;
}
