// With a start in the middle a condition may be the first to touch what a pointer leads to.
//@ flags: --entry push
//@ signature: int push(struct stack *stack, int value)
//@ rests-on: the global variable
#include <taw.h>

struct stack {
  int top;
  int items[4];
};
static int full = 4;

int push(struct stack *stack, int value) {
  if (stack->top < 0 || stack->top >= full)  //~ REACHED if stack && stack->top == 77
                                             //~ REACHED if !stack
    return 0;                                //~ UNREACHABLE if stack->top == 3
  stack->items[stack->top++] = value;        //~ REACHED if stack->top == 3 && value == -1
                                             //~ UNREACHABLE if stack->top == 4
  return 1;                                  //~ REACHED if stack->items[2] == 9 && value == 9
}
