// Constructors run before main in order of priority, destructors after it.
//@ output: early
//@ output: late
//@ output: main 3
//@ output: bye
#include <stdio.h>

static int state;

__attribute__((constructor(300))) static void late(void) {
  puts("late");
  state += 2;
}
__attribute__((constructor(200))) static void early(void) {
  puts("early");
  state = 1;
}
__attribute__((destructor)) static void bye(void) { puts("bye"); }

int main(void) {
  printf("main %d\n", state);
  return 0;
}
