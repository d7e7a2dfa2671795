// What a path does not use costs it nothing: the last two of eight pointers are explored as if they were alone, also where others are used elsewhere.
//@ flags: --entry f
//@ signature: int f(struct s *a, struct s *b, struct s *c, struct s *d, struct s *e, struct s *g, struct s *p, struct s *q, int n)
//@ paths: 8 completed, 0 errored
//@ labels: same other elsewhere
#include <taw.h>

struct s { int v; };

int f(struct s *a, struct s *b, struct s *c, struct s *d, struct s *e, struct s *g, struct s *p, struct s *q, int n) {
  if (n == 1) {
    // `a` is used here only.
    if (!a) return 1;
    taw_target("elsewhere");
    return 2;
  }
  if (!p || !q) return 3;
  if (p->v < 3) return 4;
  p->v = 1;
  // One that is `p`, or one of its own.
  if (q->v == 1) {
    if (p == q) taw_target("same"); else taw_target("other");
    return 5;
  }
  return 6;
}
