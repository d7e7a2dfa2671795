// What goes through a buffer comes out when the buffer is written, after what was written past it.
//@ revisions: O0 m32
//@ paths: 2 completed, 0 errored
#include <stdio.h>
#include <taw.h>
#include <unistd.h>

int main(void) {
  int x = taw_int("x");
  printf("first %d\n", x);
  write(1, "second\n", 7);
  if (x > 0) fflush(stdout);
  printf("third %c\n", x);
  write(1, "fourth\n", 7);
  return 0;
}
