// The numbers of rand() are the C library's: what depends on them is not decided by those of the library that is explored.
//@ target: label:lucky unknown
//@ target: label:any reached
//@ exhaustive: false
#include <stdlib.h>
#include <taw.h>

int main(void) {
  int number = rand();
  taw_target("any");
  if (number == 1804289383) taw_target("lucky");
  return 0;
}
