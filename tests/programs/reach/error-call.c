// Calls of a function that is not the program's.
//@ target: error-call:reach_error reached
//@ target: error-call:abort unreachable
#include <stdlib.h>
#include <taw.h>
void reach_error(void);

int main(void) {
  unsigned char x = taw_u8("x");
  if (x * x == 49) reach_error();
  if (x * x == 50) abort();
  return 0;
}
