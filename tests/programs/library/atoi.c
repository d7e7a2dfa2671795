// The digits that make 42.
//@ labels: answer
//@ exhaustive: true
#include <stdlib.h>
#include <taw.h>

int main(void) {
  char s[3];
  taw_symbolic(s, 2, "s");
  s[2] = 0;
  if (atoi(s) == 42) {
    taw_assert(s[0] == '4' && s[1] == '2');
    taw_target("answer");
  }
  return 0;
}
