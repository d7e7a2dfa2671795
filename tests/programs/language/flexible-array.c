// A struct with a flexible array member.
//@ paths: 1 completed, 1 errored
#include <stdlib.h>
#include <taw.h>

struct text {
  int length;
  char data[];
};

int main(void) {
  struct text *t = malloc(sizeof *t + 5);
  t->length = 5;
  int i = taw_int("i");
  taw_assume(i >= 0 && i <= t->length);
  t->data[i] = 'x';  //~ BUG out-of-bounds-write
                     //~| WITNESS i == 5
  free(t);
  return 0;
}
