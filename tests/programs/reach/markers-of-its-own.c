// A marker that the program defines itself runs natively without leaving a mark: the call's line is looked at instead.
//@ flags: --marker marked
//@ target: label:own reached
//@ target: label:not unreachable
//@ native: -Dmarked=taw_target
#include <taw.h>

#ifndef marked
static int count;
void marked(const char *label) { count += label != 0; }
#endif

int main(void) {
  int x = taw_int("x");
  if (x == -5)
    marked("own");
  if (x > 0 && x < 0)
    marked("not");
  return 0;
}
