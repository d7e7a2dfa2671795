// Both sides end in the same error: the second has no finding of its own, and what it covers counts only if its test stays.
//@ paths: 0 completed, 2 errored
#include <stdlib.h>
#include <taw.h>

int main(void) {
  int x = taw_int("x"), y;
  if (x > 100)
    y = 1;
  else
    y = 2;
  taw_print("y", y);
  abort(); //~ BUG abort
           //~| COUNT 2
}
