// A wide string without an end is read beyond its object.
//@ paths: 1 completed, 1 errored
//@ native: none
#include <stdio.h>
#include <taw.h>
#include <wchar.h>

int main(void) {
  wchar_t s[2] = {L'a', L'b'};
  int x = taw_int("x");
  if (x > 0) s[1] = 0;
  printf("%ls %d\n", s, x); //~ BUG out-of-bounds-read
  return 0;
}
