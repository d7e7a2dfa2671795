// The library looks a conversion up in a table by `c - 'A'`; globals of the table's size beside it do not matter.
//@ labels: X c d o x
//@ paths: 6 completed, 0 errored
#include <stdio.h>
#include <string.h>
#include <taw.h>

static char one[464], two[500], three[480];

int main(void) {
  char format[4] = "%?", out[64];
  format[1] = taw_u8("c");
  char c = format[1];
  taw_assume((c == 'X') | (c == 'x') | (c == 'd') | (c == 'o') | (c == 'u') | (c == 'c'));
  int n = snprintf(out, sizeof out, format, 200);
  if (n == 2 && !strcmp(out, "C8")) taw_target("X");
  if (n == 2 && !strcmp(out, "c8")) taw_target("x");
  if (n == 3 && !strcmp(out, "200")) taw_target("d");
  if (n == 3 && !strcmp(out, "310")) taw_target("o");
  if (n == 1) taw_target("c");
  one[n] = two[n] = three[n] = 1;
  return 0;
}
