// Initialisers that hold addresses of other globals and of functions, with offsets.
//@ revisions: O0 O2 m32
//@ output: 30 c 7 14 bc
#include <stdio.h>

static int seven(void) { return 7; }
static int numbers[4] = {10, 20, 30, 40};
struct entry {
  const char *name;
  int *where;
  int (*f)(void);
  struct entry *next;
};
static struct entry second;
static struct entry first = {"abc" + 1, &numbers[2], seven, &second};
static struct entry second = {"cde", numbers, seven, &first};

int main(void) {
  printf("%d %c %d %d %s\n", *first.where, first.next->name[0], first.f(), second.f() + first.next->next->f(), first.name);
  return 0;
}
