// A condition calls functions of the program and of its library; what they pass is not reached by that, and not covered.
//@ revisions: O0 O2 backward
//@[backward] flags: --search CCBSE(RP)
#include <string.h>
#include <taw.h>

static int depth(const char *text) {
  int count = 0;
  while (*text)
    if (*text++ == '(') count++;  //~ UNREACHABLE
  return count;
}

static int (*keep)(const char *) = depth;

int main(void) {
  char text[4];
  taw_symbolic(text, sizeof text, "text");
  text[3] = 0;
  if (text[0] == 'a') return 1;  //~ REACHED if depth(text) == 3
                                 //~ REACHED if depth(text) == 2 && text[1] == 'x'
                                 //~ UNREACHABLE if depth(text) == 4
                                 //~ REACHED if strcmp(text, "abc") == 0
                                 //~ UNREACHABLE if strlen(text) > 3
  return keep == 0;
}
