// A buffer that is the program's own may be looked at: nothing stands in it for the text of a number.
//@ paths: 4 completed, 0 errored
#include <stdio.h>
#include <taw.h>

int main(void) {
  static char buffer[4096];
  unsigned char x = taw_u8("x");
  setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
  printf("%u\n", x);
  fflush(stdout);
  return 0;
}
