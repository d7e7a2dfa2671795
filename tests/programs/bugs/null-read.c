// The null pointer, on one path.
//@ paths: 1 completed, 1 errored
#include <taw.h>

int main(void) {
  int x = 3;
  int *p = taw_int("c") > 0 ? &x : 0;
  return *p;  //~ BUG null-dereference: read of 4 bytes at address 0
              //~| WITNESS c <= 0
}
