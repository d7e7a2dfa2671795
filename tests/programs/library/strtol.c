// Bases, signs, ends and limits.
//@ revisions: O0 O2 m32
//@ output: -42 x 255 8 -1 2147483647 0
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  char *end;
  long n = strtol("  -42x", &end, 10);
  int limit = (int)(strtoll("2147483648", 0, 0) - 1);
  printf("%ld %s %ld %lu %d %d %d\n", n, end, strtol("0xff", 0, 0), strtoul("010", 0, 0), atoi("-1"), limit, atoi("none"));
  return 0;
}
