// A file can be made under a name of unknown bytes; it is found again under that name and under no other.
//@ native: none
//@ labels: same other
#include "system.h"
#include <taw.h>

int main(void) {
  char name[3], byte = 0;
  taw_symbolic(name, 2, "name");
  name[2] = 0;
  taw_assume(name[0] > ' ' && name[1] > ' ' && name[0] != '/' && name[1] != '/' && name[0] != '.');
  long fd = CALL(OPEN, name, 0301, 0644);
  taw_assert(fd == 3);
  taw_assert(CALL(WRITE, fd, name, 1) == 1);
  CALL(CLOSE, fd);
  taw_assert(CALL(OPEN, name, 0300) == -17);
  fd = CALL(OPEN, "xy", 0);
  if (fd >= 0) {
    taw_target("same");
    CALL(READ, fd, &byte, 1);
    taw_assert(byte == 'x' && name[1] == 'y');
  } else {
    taw_target("other");
    taw_assert(fd == -2 && !(name[0] == 'x' && name[1] == 'y'));
  }
  return 0;
}
