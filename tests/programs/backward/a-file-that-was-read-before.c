// How far a stream has been read, the kernel knows and no function can tell: nothing is concluded from a stream that is fresh.
//@ revisions: ccbse mix
//@[ccbse] flags: --search CCBSE(RP) --sym-stdin 3
//@[mix] flags: --search Mix-CCBSE(RP,0.1) --sym-stdin 3
//@ target: label:end reached
#include <stdio.h>
#include <taw.h>

static void rest(void) {
  if (getchar() == EOF) taw_target("end");
}

int main(void) {
  getchar();
  getchar();
  getchar();
  rest();
  return 0;
}
