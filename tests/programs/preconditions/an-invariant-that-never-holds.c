// Where no structure fits, there is no path that looks into one.
//@ flags: --entry f --invariant s=none
//@ signature: int f(struct s *s)
//@ rests-on: `none` holds of every `s` that is passed
//@ target: label:null reached
//@ target: label:looked unreachable
#include <taw.h>

struct s {
  int x;
};

int none(struct s *s) { return s->x > 3 && s->x < 3; }

int f(struct s *s) {
  if (!s) return taw_target("null"), 0;
  if (s->x == 1) return taw_target("looked"), 1;
  return s->x;
}
