// A pointer may lead into a structure that another pointer leads to, whichever of them comes first; nothing else is left out, and that is exhaustive.
//@ flags: --entry set
//@ signature: int set(void *p, void *s)
//@ labels: apart x last first
//@ exhaustive: true
#include <stddef.h>
#include <taw.h>

struct s {
  int x;
  double d;
  int y[3];
};

int set(int *p, struct s *s) {
  if (p == NULL || s == NULL) return -1;
  s->x = s->y[0] = s->y[1] = s->y[2] = 1;
  *p = 2;
  if (s->x == 2) taw_target("x");
  if (s->y[2] == 2) taw_target("last");
  if (p == &s->y[0]) taw_target("first");
  if (s->x + s->y[0] + s->y[1] + s->y[2] == 4) taw_target("apart");
  return 0;
}
