// The program reports an error itself.
//@ paths: 1 completed, 1 errored
#include <klee/klee.h>

int main(void) {
  if (klee_int("x") == 77) klee_report_error(__FILE__, __LINE__, "seventy-seven", "user.err");  //~ BUG reported-error: seventy-seven
                                                                                                //~| WITNESS x == 77
  return 0;
}
