// Conversions that are not numbers are the library's own: `%m`, `%C`, `%lc`, `%ls`, `%Lg` of what no double holds.
//@ revisions: O0 m32
//@ paths: 2 completed, 0 errored
#include <errno.h>
#include <stdio.h>
#include <taw.h>
#include <wchar.h>

int main(void) {
  int x = taw_int("x");
  wchar_t text[] = L"wide";
  long double large = 1e4000L;
  errno = EACCES;
  if (x > 0) text[1] = 0;
  printf("%m|%C|%lc|%ls|%.2ls|%Lg|%d\n", L'c', L'd', text, text, large, x);
  return 0;
}
