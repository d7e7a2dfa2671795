// A function pointer is one of those that the program puts there, not any of its type; none is the caller's, so nothing is in doubt.
//@ flags: --entry apply
//@ target: label:other unreachable
//@ target: label:null unreachable
//@ target: label:one reached
//@ target: label:two reached
//@ rests-on: `apply` is called only as the program calls it
//@ native: none
#include <taw.h>

static int one(int n) {
  taw_target("one");
  return n;
}
static int two(int n) {
  taw_target("two");
  return n;
}
static int other(int n) {
  taw_target("other");
  return n;
}
static int (*const table[2])(int) = {one, two};
static int (*unused)(int) = other;

static int apply(int (*call)(int), int n) {
  if (!call) {
    taw_target("null");
    return 0;
  }
  return call(n);
}

int main(int argc, char **argv) {
  if (argc > 5) return unused(argc);
  return apply(table[argc & 1], argc);
}
