// Text that is constant in every call has its end: a run that reads it is exhaustive but for its length.
//@ flags: --entry f --max-string 3
//@ target: label:one reached
//@ target: label:other unreachable
//@ rests-on: `f` is called only as the program calls it
//@ native: none
#include <taw.h>

static char changed[4];

static int f(const char *s) {
  changed[0] = 'x';
  if (s == changed) taw_target("other");
  if (s[0] == 'o') taw_target("one");
  return 0;
}

int main(int argc, char **argv) { return f(argc > 1 ? "one" : "two"); }
