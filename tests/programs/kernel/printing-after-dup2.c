// What depends on inputs and is printed to standard output goes where standard output has been sent.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <taw.h>
#include <unistd.h>

int main(void) {
  int x = taw_int("x");
  taw_assume(x == 7 || x == 42);
  int fd = open("out", O_CREAT | O_RDWR, 0600);
  if (fd < 0 || dup2(fd, 1) != 1) return 2;
  printf("%d\n", x);
  fflush(stdout);
  char text[4] = {0};
  int is_there = pread(fd, text, 3, 0) >= 2;
  if (!is_there || (text[0] == '7') != (x == 7)) abort();
  return 0;
}
