// A word somewhere in five symbolic characters.
//@ exhaustive: true
//@ labels: found end
#include <string.h>
#include <taw.h>

int main(void) {
  char s[6];
  taw_symbolic(s, 5, "s");
  s[5] = 0;
  char *p = strstr(s, "ab");
  if (p) {
    taw_assert(p[0] == 'a' && p[1] == 'b');
    taw_target("found");
    if (p == s + 3) taw_target("end");
  }
  return 0;
}
