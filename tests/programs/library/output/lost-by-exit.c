// What is in a buffer when the process ends at once is never written.
//@ revisions: O0 m32
//@ paths: 2 completed, 0 errored
#include <stdio.h>
#include <taw.h>
#include <unistd.h>

int main(void) {
  int x = taw_int("x");
  printf("%d lost\n", x);
  fprintf(stderr, "%d seen\n", x);
  if (x == 1) _exit(1);
  return 0;
}
