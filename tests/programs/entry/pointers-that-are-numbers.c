// Callers may pass numbers as pointers, such as MAP_FAILED: what compares with one proves nothing.
//@ flags: --entry f
//@ signature: int f(void *p, struct s *s, int (*g)(int))
//@ exhaustive: false
//@ labels: none
#include <taw.h>

struct s {
  int *q;
};

int f(void *p, struct s *s, int (*g)(int)) {
  if (p == (void *)-1) taw_target("failed");
  if ((unsigned long)p >= (unsigned long)-4095) taw_target("error");
  if (g == (int (*)(int))1) taw_target("ignored");
  if (s && s->q == (int *)-1) taw_target("member");
  switch ((long)p) {
  case 3: taw_target("tag"); break;
  default: taw_target("none");
  }
  return 0;
}
