// Not requested: silent.
//@ paths: 1 completed, 0 errored
#include <stdlib.h>

int main(void) {
  volatile char *p = malloc(5);
  p[0] = 1;
  return 0;
}
