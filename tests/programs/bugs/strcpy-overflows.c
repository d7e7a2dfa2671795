// A string of unknown length into a small buffer: the place is the user's call, not the library's loop.
//@ paths: 4 completed, 1 errored
#include <stdlib.h>
#include <string.h>
#include <taw.h>

int main(void) {
  char s[6], *t = malloc(4);
  taw_symbolic(s, sizeof s, "s");
  s[4] = 0;
  strcpy(t, s);  //~ BUG out-of-bounds-write
                 //~| WITNESS s[0] != 0 && s[1] != 0 && s[2] != 0 && s[3] != 0
  free(t);
  return 0;
}
