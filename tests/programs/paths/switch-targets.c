// A path is a sequence of blocks: cases that share a target share a path.
//@ paths: 4 completed, 0 errored
//@ brute-force
#include <taw.h>

int main(void) {
  switch (taw_u8("x")) {
    case 1:
    case 2:
    case 3: return 1;
    case 10: return 2;
    case 250: return 3;
    default: return 0;
  }
}
