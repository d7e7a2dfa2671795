// The head of a loop is asked before it, at each test and at each step; what it declares is there from the test on.
//@ revisions: O0 O2
#include <taw.h>

int main(void) {
  unsigned n = taw_u8("n"), sum = 0;
  for (unsigned i = 0; i < n; i++)  //~ REACHED if i == 5
                                    //~ REACHED if sum == 15
                                    //~ UNREACHABLE if i > n
                                    //~ UNREACHABLE if i == 256
    sum += i;                       //~ UNREACHABLE if i == n
  while (n > 3)                     //~ REACHED if n == 4
                                    //~ UNREACHABLE if n == 300
    n--;
  for (;;) {  //~ REACHED if n == 6
              //~ UNREACHABLE if n == 7
    if (n++ == 6) n = 7;
    if (n > 6) break;
  }
  do {  //~ REACHED if n == 7
        //~ UNREACHABLE if n == 8
    n++;
  } while (n < 10);  //~ REACHED if n == 9
                     //~ UNREACHABLE if n == 11
  return (int)sum;
}
