// Compound literals and designated initialisers.
//@ revisions: O0 O2
//@ output: 3 0 9 5
#include <stdio.h>

struct point {
  int x, y;
};

static int sum(struct point *p) { return p->x + p->y; }

int main(void) {
  int a[6] = {[2] = 9, [5] = 5};
  printf("%d %d %d %d\n", sum(&(struct point){.y = 1, .x = 2}), a[0], a[2], a[5]);
  return 0;
}
