// A condition that fails where it is asked decides nothing about its target there, and is said; the program goes on as if nobody had asked.
//@ revisions: O0 backward
//@[backward] flags: --search CCBSE(RP)
//@ target: an-error-in-it.c:15 if *p == 5 reached
//@ target: an-error-in-it.c:15 if *p == 300 unknown
//@ target: an-error-in-it.c:15 if p && *p == 300 unreachable
//@ target: an-error-in-it.c:15 if 10 / *q == 300 unknown
//@ target: an-error-in-it.c:15 if *p == 300 then an-error-in-it.c:17 unknown
#include <taw.h>

int main(void) {
  unsigned char x = taw_u8("x");
  unsigned char *p = x > 10 ? 0 : &x, *q = &x;

  x += 0;
  if (p == 0) {
    if (x == 200) return 1;  //~ REACHED
    if (x == 5)
      return 2;  //~ UNREACHABLE
  }
  return 0;
}
