// A marker that the program defines itself runs natively without leaving a mark: the call's line is looked at instead.
//@ flags: --marker note
//@ target: label:own reached
//@ target: label:not unreachable
//@ native: -Dnote=taw_target
#include <taw.h>

#ifndef note
static int count;
void note(const char *label) { count += label != 0; }
#endif

int main(void) {
  int x = taw_int("x");
  if (x == -5)
    note("own");
  if (x > 0 && x < 0)
    note("not");
  return 0;
}
