// longjmp goes back with its value, from nested calls, on the path that takes it.
//@ paths: 2 completed, 0 errored
//@ labels: jumped returned
#include <setjmp.h>
#include <taw.h>

static jmp_buf back;

static void deep(int n, int x) {
  if (n) deep(n - 1, x);
  else if (x == 12) longjmp(back, 5);
}

int main(void) {
  volatile int count = 0;
  int x = taw_int("x");
  int code = setjmp(back);
  count++;
  if (code == 5) {
    taw_target("jumped");
    taw_assert(count == 2);
    return 1;
  }
  deep(4, x);
  taw_target("returned");
  return 0;
}
