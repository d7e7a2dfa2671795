// A structure that is passed by copy is made as one behind a pointer is, and belongs to the function alone.
//@ flags: --entry f --strings any
//@ signature: int f(struct big { int numbers[10]; char *text; } b)
//@ native: none
//@ labels: found
#include <taw.h>

struct big {
  int numbers[10];
  char *text;
};

int f(struct big b) {
  if (b.numbers[3] != 7 || !b.text) return 0;
  if (b.text[0] != 'x') return 1;
  taw_target("found");
  return 2;
}
