// What a caller passes may be the address of a function of another type, a constant or a string of the program: that is not tried, so a place behind
// the comparison is not unreachable.
//@ revisions: function constant text
//@[function] flags: --entry function
//@[constant] flags: --entry constant
//@[text] flags: --entry text
//@ target: label:same unknown
#include <taw.h>

const int table[2] = {1, 2};
static const char name[] = "name";

int constant(const int *p) {
  if (p == table) taw_target("same");
  return 0;
}

int function(void (*callback)(void)) {
  if (callback == (void (*)(void))constant) taw_target("same");
  return 0;
}

int text(const char *s) {
  if (s == name) taw_target("same");
  return 0;
}
