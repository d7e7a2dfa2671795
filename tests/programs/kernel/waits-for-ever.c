// A wait that nothing can end is said to be one.
//@ native: none
//@ unsupported: the program waits for ever: it reads from an empty pipe
#include <unistd.h>

int main(void) {
  int ends[2];
  char byte;
  if (pipe(ends)) return 1;
  return read(ends[0], &byte, 1);
}
