// All classes of all ASCII characters.
//@ revisions: O0 O2 m32
//@ output: 62 52 10 26 26 22 6 32 94 95 33 2
#include <ctype.h>
#include <stdio.h>

int main(void) {
  int n[12] = {0};
  for (int c = 0; c < 128; c++) {
    n[0] += !!isalnum(c), n[1] += !!isalpha(c), n[2] += !!isdigit(c), n[3] += !!islower(c), n[4] += !!isupper(c);
    n[5] += !!isxdigit(c), n[6] += !!isspace(c), n[7] += !!ispunct(c), n[8] += !!isgraph(c), n[9] += !!isprint(c);
    n[10] += !!iscntrl(c), n[11] += !!isblank(c);
  }
  for (int i = 0; i < 12; i++) printf("%d%c", n[i], i < 11 ? ' ' : '\n');
  return 0;
}
