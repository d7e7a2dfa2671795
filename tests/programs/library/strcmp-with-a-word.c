// Only the word itself passes.
//@ labels: open
//@ exhaustive: true
#include <string.h>
#include <taw.h>

int main(void) {
  char s[8];
  taw_symbolic(s, sizeof s, "s");
  s[7] = 0;
  if (strcmp(s, "sesame") == 0) {
    taw_assert(s[0] == 's' && s[5] == 'e' && s[6] == 0);
    taw_target("open");
  }
  return 0;
}
