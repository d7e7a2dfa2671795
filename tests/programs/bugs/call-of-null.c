// The null pointer is no function.
//@ paths: 1 completed, 1 errored
#include <taw.h>

static int one(void) { return 1; }

int main(void) {
  int (*f)(void) = taw_bool("known") ? one : 0;
  return f();  //~ BUG invalid-function-pointer
               //~| WITNESS known == 0
}
