// A number that is no address by what the program shows may be any, when it is cast to a pointer.
//@ flags: --entry f
//@ target: label:same reached
//@ native: none
#include <stdint.h>
#include <stdlib.h>
#include <taw.h>

static int f(int *p, int *q) {
  if (p && p == q) taw_target("same");
  return 0;
}

int main(int argc, char **argv) {
  int a = 0;
  return f(&a, (int *)(uintptr_t)strtoul(argv[1], 0, 16));
}
