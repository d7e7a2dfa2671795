// A pointer that is a number stays something else than null, and two of them may be equal.
//@ flags: --entry f
//@ target: label:some reached
//@ target: label:same reached
//@ native: none
#include <taw.h>

static int f(void *p, void *q) {
  if (p) taw_target("some");
  if (p && p == q) taw_target("same");
  return 0;
}

int main(int argc, char **argv) {
  void *none = argc > 1 ? (void *)-1 : 0;
  return f(none, none);
}
