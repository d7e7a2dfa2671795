// A wide string without an end is read beyond its object.
//@ paths: 1 completed, 1 errored
//@ native: none
#include <stdio.h>
#include <taw.h>
#include <wchar.h>

int main(void) {
  wchar_t s[2] = {L'a', L'b'};
  if (taw_int("x") > 0) s[1] = 0;
  printf("%ls\n", s); //~ BUG out-of-bounds-read
  return 0;
}
