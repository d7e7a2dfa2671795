// An array of at least so many elements is no place that has fewer.
//@ flags: --entry f
//@ signature: int f(void *p, void *s)
//@ labels: long
//@ exhaustive: any
//@ rests-on: the global variable `three` has its initial value
#include <taw.h>

struct s {
  int one;
  long gap;
  int four[4];
};
int three[3];

int f(int p[static 4], struct s *s) {
  p[3] = 1;
  if (!s) return 0;
  s->one = s->four[3] = 5;
  p[3] = 2;
  if (s->four[3] == 2) taw_target("long");
  if (s->one == 2 || three[2] == 2) taw_target("short");
  return 0;
}
