// strlen of four symbolic bytes and a terminator: five lengths.
//@ paths: 5 completed, 0 errored
#include <string.h>
#include <taw.h>

int main(void) {
  char s[5];
  taw_symbolic(s, 4, "s");
  s[4] = 0;
  return (int)strlen(s);
}
