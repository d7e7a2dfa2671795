// What is called through a pointer can be reached; what no pointer names cannot.
//@ target: label:third reached
//@ target: never_named unreachable
#include <taw.h>

static int first(int x) { return x; }
static int second(int x) { return x + 1; }
static int third(int x) {
  if (x == 77) taw_target("third");
  return x + 2;
}
int never_named(int x) { return x; }

static int (*const table[])(int) = {first, second, third};

int main(void) {
  unsigned i = taw_uint("i");
  taw_assume(i < 3);
  return table[i](taw_int("x"));
}
