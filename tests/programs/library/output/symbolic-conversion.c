// A conversion that depends on inputs is decided on the path.
//@ revisions: O0 m32
//@ paths: 3 completed, 1 errored
#include <stdio.h>
#include <taw.h>

int main(void) {
  char format[] = "<%d>\n";
  unsigned char c = taw_u8("c");
  taw_assume((c == 'd') | (c == 'x') | (c == 'c') | (c == 's'));
  format[2] = (char)c;
  printf(format, 100); //~ BUG null-dereference
                       //~| WITNESS c == 115
  return 0;
}
