// Calls hand pointers on without using them; whoever uses one may find it to be another that was handed on as well.
//@ flags: --entry f
//@ signature: int f(struct s *a, struct s *b, struct s *c)
//@ labels: both last returned
#include <taw.h>

struct s { int v; };

static int inner(struct s *x, struct s *y, struct s *z) {
  // `z` comes first here, and `x` after it: both may be one object.
  if (!z) return 1;
  z->v = 7;
  if (!x) return 2;
  if (x->v == 7 && x == z) taw_target("both");
  return 3;
}

static struct s *same(struct s *x) { return x; }

static int middle(struct s *x, struct s *y, struct s *z) {
  int r = inner(x, y, z);
  if (r == 3 && same(y) == z) taw_target("returned");
  return r;
}

int f(struct s *a, struct s *b, struct s *c) {
  int r = middle(a, b, c);
  if (r == 2 && b == c) taw_target("last");
  return r;
}
