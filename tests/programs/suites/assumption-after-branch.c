// The larger side never gets past the assumption: there is no test that covers it.
//@ paths: 1 completed, 0 errored
#include <taw.h>

int main(void) {
  int x = taw_int("x"), y;
  if (x > 100)
    y = 1;
  else
    y = 2;
  taw_assume(x < 50 && x > 40);
  return y - 2;
}
