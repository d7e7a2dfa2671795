// Terms are given up between any two decisions; why a place is unreachable can still be said.
//@ flags: --collect-after 1
//@ target: label:never unreachable
//@ target: label:sometimes reached
#include <taw.h>

int main(void) {
  int sum = 0;
  for (int i = 0; i < 6; i++) {
    unsigned char x = 0;
    taw_symbolic(&x, 1, "x");
    if (x > 100) sum += 3;
    else sum += 5;
  }
  if (sum % 2 == 1) taw_target("never");
  if (sum == 22) taw_target("sometimes");
  return 0;
}
