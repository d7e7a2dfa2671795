// A place behind a call of what is defined nowhere: its value decides, its other deeds are taken for granted.
//@ flags: --stub *
//@ rests-on: `unknown`, which is defined nowhere, returns and writes only
//@ target: label:anything reached
//@ target: label:changed unreachable
#include <taw.h>

int unknown(const int *);
static int state = 1;

int main(void) {
  if (unknown(&state) == 5) taw_target("anything");
  if (state != 1) taw_target("changed");
  return 0;
}
