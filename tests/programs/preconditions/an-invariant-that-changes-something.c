// A predicate that leaves something behind is not run on, and named: natively nobody calls it.
//@ revisions: memory own fails marks
//@[memory] flags: --invariant s=counts
//@[memory] rests-on: `counts` holds of every `s` that is passed
//@[memory] rests-on: the global variable `calls` has its initial value (--globals)
//@[memory] unsupported: `counts` of --invariant, which changes memory
//@[own] flags: --invariant s=mends
//@[own] rests-on: `mends` holds of every `s` that is passed
//@[own] unsupported: `mends` of --invariant, which changes memory
//@[fails] flags: --invariant s=divides
//@[fails] rests-on: `divides` holds of every `s` that is passed
//@[fails] rests-on: the global variable `calls` has its initial value (--globals)
//@[fails] unsupported: `divides` of --invariant, which fails itself (division-by-zero
//@[marks] flags: --invariant s=marks
//@[marks] rests-on: `marks` holds of every `s` that is passed
//@[marks] unsupported: `marks` of --invariant, which calls `taw_target`
//@ flags: --entry f --assume=s
//@ signature: int f(struct s *s)
//@ rests-on: `s` holds where `f` starts
//@ exhaustive: false
#include <taw.h>

struct s {
  int x;
};

static int calls;
int counts(struct s *s) { return ++calls && s->x; }
int mends(struct s *s) { return s->x = 1; }
int divides(struct s *s) { return 10 / s->x; }
int marks(struct s *s) { return taw_target("no"), s->x; }

int f(struct s *s) { return s->x + calls; }
