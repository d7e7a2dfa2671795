// The caller has the object, and `stack_init` makes a stack of it: what a caller that forgot it would see is not found.
//@ flags: --entry stack_top --build-with stack_*
//@ signature: int stack_top(struct stack *s)
//@ exhaustive: any
#include <stdlib.h>

struct stack {
  int *base;
  int used;
};

void stack_init(struct stack *s) {
  s->base = malloc(2 * sizeof *s->base);
  s->used = 0;
}

void stack_push(struct stack *s, int value) {
  if (s->used < 2) s->base[s->used++] = value;
}

int stack_top(struct stack *s) {
  if (!s) return 0;
  return s->base[s->used - 1]; //~ BUG out-of-bounds-read
  //~| API struct stack stack1 = {0}; stack_init(&stack1); stack_top(&stack1);
  //~ BUG null-dereference
  //~| API none: new objects are zero before they are initialised
}
