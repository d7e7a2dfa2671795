// What is impossible in one turn of a loop may be possible in the next: `last` holds what the turn before has left.
//@ revisions: ccbse mix symcretic
//@[ccbse] flags: --search CCBSE(RP)
//@[mix] flags: --search Mix-CCBSE(RP,0.1)
//@[symcretic] flags: --search symcretic
//@ target: label:in-one-turn unreachable
//@ target: label:in-two-turns reached
#include <taw.h>

int main(void) {
  unsigned char x = taw_u8("x"), last = 0;
  for (int turn = 0; turn < 2; turn++) {
    if (x > 100) {
      if (x < 50) taw_target("in-one-turn");
      if (last == 7) taw_target("in-two-turns");
      last = 7;
    }
  }
  return 0;
}
