// Text that was printed to the console and goes to a file after all is not known as text: such a path says so.
//@ exhaustive: false
//@ unsupported: the text of a number that depends on inputs
//@ native: none
#include <fcntl.h>
#include <stdio.h>
#include <taw.h>
#include <unistd.h>

int main(void) {
  printf("%d\n", taw_int("x"));
  int fd = open("out", O_WRONLY | O_CREAT, 0600);
  dup2(fd, 1);
  return 0;
}
