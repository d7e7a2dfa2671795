// Two pointers to one object are what a caller may pass.
//@ flags: --entry box_move --build-with box_new
//@ signature: int box_move(struct box *to, struct box *from)
//@ exhaustive: any
#include <stdlib.h>

struct box {
  int *value;
};

struct box *box_new(int value) {
  struct box *b = malloc(sizeof *b);
  if (!b) return NULL;
  b->value = malloc(sizeof *b->value);
  if (!b->value) abort();
  *b->value = value;
  return b;
}

int box_move(struct box *to, struct box *from) {
  if (!to || !from) return -1;
  to->value = NULL;
  return *from->value; //~ BUG null-dereference
  //~| API struct box *box1 = box_new(0); box_move(box1, box1);
}
