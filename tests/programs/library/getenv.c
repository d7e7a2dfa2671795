// The environment is empty.
//@ output: none
//@ native: none
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  puts(getenv("PATH") ? "some" : "none");
  return 0;
}
