// In a recursion a condition is asked in every call, with the locals of that call.
//@ revisions: O0 O2 backward
//@[backward] flags: --search CCBSE(RP)
#include <taw.h>

__attribute__((noinline)) static unsigned fall(unsigned n, unsigned depth) {
  unsigned half = n / 2;
  if (half == 0) return depth;  //~ REACHED if depth == 3 && n == 1
                                //~ UNREACHABLE if depth == 8
  return fall(half, depth + 1);  //~ REACHED if depth == 6 && half == 1
                                 //~ UNREACHABLE if depth == 7
}

int main(void) { return (int)fall(taw_u8("n"), 0); }
