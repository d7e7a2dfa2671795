// Failing shares are paths that ended in an error; brute force agrees.
//@ brute-force
#include <taw.h>

int main(void) {
  unsigned char a = taw_u8("a");
  int n = 0;
  if (a & 1) n = 3;
  taw_assert(a < 250);  //~ BUG assertion-failure
                        //~| COUNT 2
  if (a & 2) n += 4;
  taw_assert(n != 7 || a < 128);  //~ BUG assertion-failure
                                  //~| WITNESS a % 4 == 3 && a >= 128 && a < 250
  return n;
}
