// A jump comes back to where pointers matter again that did not matter where it was made.
//@ flags: --entry f
//@ signature: int f(struct s *a, struct s *b)
//@ labels: same value
#include <setjmp.h>
#include <taw.h>

struct s { int v; };

static jmp_buf back;

int f(struct s *a, struct s *b) {
  if (setjmp(back)) {
    if (!a) return 1;
    if (a == b) taw_target("same");
    if (a->v == 3) taw_target("value");
    return 2;
  }
  if (!b) return 3;
  if (b->v == 7) longjmp(back, 1);
  return 4;
}
