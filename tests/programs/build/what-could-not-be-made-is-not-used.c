// A careful caller looks whether there is an object before using it, and uses none that was destroyed or has moved.
//@ flags: --entry text_length --build-with text_*
//@ signature: int text_length(struct text *t)
//@ exhaustive: any
#include <stdlib.h>

struct text {
  int length;
};

struct text *text_new(int kind) {
  if (kind < 0) return NULL;
  return calloc(1, sizeof(struct text));
}

struct text *text_grown(struct text *t) {
  struct text *grown = calloc(1, sizeof *grown);
  grown->length = t->length + 1;
  free(t);
  return grown;
}

void text_destroy(struct text *t) {
  t->length = -1;
  free(t);
}

int text_length(struct text *t) {
  if (t->length < 0) abort(); //~ BUG null-dereference
  //~| API none: no null is passed & nothing is used after `text_destroy`
  //~ BUG abort
  //~| API none
  return t->length == 2 ? 1 / (t->length - 2) : 0; //~ BUG division-by-zero
  //~| API struct text *text1 = text_new(0); struct text *text2 = text_grown(text1); struct text *text3 = text_grown(text2); text_length(text3);
}
