// A path of unknown bytes is compared with the names that exist: one path for each of them, and one for all the others.
//@ native: none
//@ labels: a bc none empty
#include "system.h"
#include <taw.h>

int main(void) {
  char path[4];
  CALL(CLOSE, CALL(OPEN, "a", 0101, 0644));
  CALL(CLOSE, CALL(OPEN, "bc", 0101, 0644));
  taw_symbolic(path, sizeof path, "path");
  path[3] = 0;
  taw_assume(path[0] != '/' && path[0] != '.');
  long fd = CALL(OPEN, path, 0);
  if (fd >= 0) {
    taw_target(path[0] == 'a' ? "a" : "bc");
    taw_assert(!strcmp(path, "a") || !strcmp(path, "bc"));
  } else if (fd == -2) {
    taw_target(path[0] ? "none" : "empty");
    taw_assert(strcmp(path, "a") && strcmp(path, "bc"));
  } else {
    taw_assert(fd == -20);
  }
  return 0;
}
