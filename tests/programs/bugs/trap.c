// So is the compiler's trap.
//@ paths: 1 completed, 1 errored
#include <taw.h>

int main(void) {
  if (taw_int("x") == 1000) __builtin_trap();  //~ BUG abort
                                               //~| WITNESS x == 1000
  return 0;
}
