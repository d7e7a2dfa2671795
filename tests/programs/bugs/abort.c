// Calling abort is an error.
//@ paths: 1 completed, 1 errored
#include <stdlib.h>
#include <taw.h>

int main(void) {
  if (taw_int("x") == -7) abort();  //~ BUG abort
                                    //~| WITNESS x == -7
  return 0;
}
