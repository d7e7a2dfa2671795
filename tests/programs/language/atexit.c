// atexit handlers run in reverse order, also after exit.
//@ output: main
//@ output: second
//@ output: first
#include <stdio.h>
#include <stdlib.h>

static void first(void) { puts("first"); }
static void second(void) { puts("second"); }

int main(void) {
  atexit(first);
  atexit(second);
  puts("main");
  exit(4);
}
