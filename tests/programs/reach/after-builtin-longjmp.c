// The compiler's own jumps lead back as those of the library do: states that are past the target must not be dropped.
//@ target: label:again reached
#include <taw.h>

static void *start[5];

static void back(void) { __builtin_longjmp(start, 1); }

int main(void) {
  int x = taw_int("x");
  if (__builtin_setjmp(start)) {
    taw_target("again");
    return 0;
  }
  if (x > 5) back();
  return 1;
}
