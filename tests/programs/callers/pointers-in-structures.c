// A pointer behind a pointer is what the program stores there.
//@ flags: --entry f
//@ target: label:same unreachable
//@ target: label:data reached
//@ target: label:circle unreachable
//@ rests-on: `f` is called only as the program calls it
//@ native: none
#include <stdlib.h>
#include <taw.h>

struct buffer {
  int *data;
  struct buffer *next;
};

static int f(struct buffer *b, int *p) {
  if (b->next == b) taw_target("circle");
  if (!b->data) return 0;
  taw_target("data");
  if (b->data == p) taw_target("same");
  return *p;
}

int main(void) {
  struct buffer inner = {malloc(8), 0}, outer = {malloc(4), &inner};
  int n = 3;
  return f(&outer, &n);
}
