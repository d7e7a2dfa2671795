// A stream that the program made unbuffered, or buffered by lines, is written when it says.
//@ revisions: O0 m32
//@ paths: 2 completed, 0 errored
#include <stdio.h>
#include <taw.h>
#include <unistd.h>

int main(void) {
  int x = taw_int("x");
  setvbuf(stdout, NULL, x > 0 ? _IOLBF : _IONBF, 0);
  printf("line %d\n", x);
  printf("part %d", x);
  write(1, "<past>", 6);
  printf("end\n");
  _exit(3);
}
