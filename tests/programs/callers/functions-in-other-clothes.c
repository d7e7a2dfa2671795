// A function behind a pointer to data, or of another type, is something; one of the library is not tried, and that
// is said.
//@ revisions: data type library
//@[data] flags: --entry data
//@[data] target: label:some reached
//@[type] flags: --entry type
//@[type] target: label:other reached
//@[library] flags: --entry library
//@[library] target: label:other unknown
//@ native: none
#include <stdlib.h>
#include <taw.h>

static void action(void) {}

static int data(void *p) {
  if (p) taw_target("some");
  return 0;
}

static int type(int (*call)(int, int)) {
  if (call) taw_target("other");
  return 0;
}

static int library(void (*release)(void *), void *p) {
  if (release) release(p), taw_target("other");
  return 0;
}

int main(int argc, char **argv) {
  return data(argc ? (void *)action : 0) + type(argc ? (int (*)(int, int))action : 0) + library(argc ? free : 0, malloc(3));
}
