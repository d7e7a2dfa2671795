// Nothing but a longjmp leads back to the target: states that are past it must not be dropped.
//@ target: label:again reached
//@ target: label:third-time unreachable
#include <setjmp.h>
#include <taw.h>

static jmp_buf start;

int main(void) {
  int x = taw_int("x");
  int times = setjmp(start);
  if (times == 1) {
    taw_target("again");
    return 0;
  }
  if (times == 2) taw_target("third-time");
  if (x > 5) longjmp(start, 1);
  return 1;
}
