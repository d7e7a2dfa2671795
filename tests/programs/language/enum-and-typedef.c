// Enumerations are ints; negative values too.
//@ paths: 3 completed, 0 errored
#include <taw.h>

enum colour { RED = -1, GREEN, BLUE = 40 };

int main(void) {
  enum colour c = (enum colour)taw_int("c");
  taw_assume(c == RED || c == GREEN || c == BLUE);
  switch (c) {
    case RED: return 1;
    case GREEN: return 2;
    case BLUE: return 3;
  }
  return 0;
}
