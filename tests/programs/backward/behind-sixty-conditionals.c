// Sixty conditionals that decide nothing: from the start nobody gets through them, from the target two conditions contradict each other.
//@ revisions: forward ccbse mix symcretic
//@[forward] flags: --search RP --max-instructions 300000
//@[ccbse] flags: --search CCBSE(RP)
//@[mix] flags: --search Mix-CCBSE(RP)
//@[symcretic] flags: --search symcretic
//@[forward] target: label:never unknown
//@[ccbse] target: label:never unreachable
//@[mix] target: label:never unreachable
//@[symcretic] target: label:never unreachable
#include <taw.h>

#define ONE(i) if (x[i] > 0) y = y + 1; else y = y + 2;
#define TEN(i) ONE(i) ONE(i + 1) ONE(i + 2) ONE(i + 3) ONE(i + 4) ONE(i + 5) ONE(i + 6) ONE(i + 7) ONE(i + 8) ONE(i + 9)

int main(void) {
  int x[60], y = 0;
  taw_symbolic(x, sizeof x, "x");
  TEN(0) TEN(10) TEN(20) TEN(30) TEN(40) TEN(50)
  if (y > 0) {
    if (y == 0) taw_target("never");
  }
  return 0;
}
