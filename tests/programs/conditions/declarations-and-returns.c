// A declaration is asked before it is made, a function where it is entered, and a `return` before its value is computed.
//@ revisions: O0 O2
#include <taw.h>

static int
half(int n)
{  //~ REACHED if n == 30
  return n / 2;  //~ UNREACHABLE if n == 31
}

int main(void) {
  int n = taw_int("n");
  if (n < 0 || n > 30) return 1;
  int x = half(n), y = x + 1;  //~ REACHED if n == 21
                               //~ UNREACHABLE if n == 31
  int a[n + 1];                //~ REACHED if y == 3 && n == 5
  a[n] = y;                    //~ REACHED if sizeof a == 4 * sizeof(int)
                               //~ UNREACHABLE if sizeof a > 31 * sizeof(int)
  return a[n] +
         ({ int z = x; z++;    //~ REACHED if z == 15
            z; });
}
