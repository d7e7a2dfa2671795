// How often a branch went one way is known on every path and is no distance: only what paths miss the count by leads to the
// one path of 2^24 on which it is met.
//@ revisions: default fitnex
//@[fitnex] flags: --search Fitnex
//@ target: label:all reached
#include <taw.h>

int main(void) {
  unsigned char text[24];
  taw_symbolic(text, sizeof text, "text");
  int letters = 0;
  for (int i = 0; i < 24; i++)
    if (text[i] == 'a') letters++;
  if (letters == 24) taw_target("all");
  return 0;
}
