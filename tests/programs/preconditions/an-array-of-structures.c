// Structures with a length come in arrays, though alone they come alone.
//@ flags: --entry f --array all=count --assume=count<=3
//@ signature: int f(struct pair *all, int count)
//@ rests-on: `all` leads to exactly `count` elements where `f` starts
//@ rests-on: `count<=3` holds where `f` starts
//@ labels: third
#include <taw.h>

struct pair {
  int a, b;
};

int f(struct pair *all, int count) {
  if (count < 3) return 0;
  if (all[2].a > all[0].b) taw_target("third");
  return 1;
}
