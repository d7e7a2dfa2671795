// errno is a variable.
//@ output: 0 5
#include <errno.h>
#include <stdio.h>

int main(void) {
  int before = errno;
  errno = 5;
  printf("%d %d\n", before, errno);
  return 0;
}
