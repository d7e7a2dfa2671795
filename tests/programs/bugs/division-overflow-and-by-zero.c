// Both errors at one place; they are two findings.
//@ paths: 1 completed, 2 errored
#include <taw.h>

int main(void) {
  long n = taw_long("n"), d = taw_long("d");
  volatile long q = n / d;  //~ BUG division-by-zero
                            //~| WITNESS d == 0
                            //~ BUG division-overflow
                            //~| WITNESS d == -1 && n < 0
  return 0;
}
