// Who looks at what `printf` returns has a path for each length.
//@ paths: 4 completed, 0 errored
#include <stdio.h>
#include <taw.h>

int main(void) {
  unsigned char x = taw_u8("x");
  return printf("%d", x);
}
