// Whether a condition has an answer depends on all that it does, of which a way back is only a part: `symcretic` leaves such targets open.
//@ flags: --search symcretic
//@ target: ways-back-do-not-ask.c:12 if count(x) == 300 unknown
//@ target: ways-back-do-not-ask.c:12 if x == 300 unknown
#include <taw.h>
static int counter;
int count(int x) { return counter += x; }

int main(void) {
  unsigned char x = taw_u8("x");

  return x + counter;
}
