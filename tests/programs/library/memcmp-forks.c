// memcmp of symbolic bytes.
//@ labels: equal
//@ exhaustive: true
#include <string.h>
#include <taw.h>

int main(void) {
  char s[3];
  taw_symbolic(s, sizeof s, "s");
  if (memcmp(s, "\0\1\2", 3) == 0) taw_target("equal");
  return 0;
}
