// A label that the program text does not show is found when it is passed.
//@ target: label:b reached
//@ target: label:direct reached
//@ target: label:d unreachable
#include <taw.h>

static const char *const names[] = {"a", "b", "c"};

int main(void) {
  unsigned i = taw_uint("i");
  if (i < 3) {
    switch (i) {
    case 0: taw_target(names[0]); break;
    case 1: taw_target(names[1]); break;
    default: taw_target(names[2]);
    }
  }
  taw_target("direct");
  return 0;
}
