// The same name twice: two inputs, each with its own value.
//@ paths: 2 completed, 0 errored
//@ labels: differ
#include <taw.h>

int main(void) {
  int a = taw_int("x"), b = taw_int("x");
  if (a < b) taw_target("differ");
  return 0;
}
