// Into a buffer, with and without a limit.
//@ revisions: O0 O2
//@ output: 7:abc 5 12345 hel
#include <stdio.h>

int main(void) {
  char a[16], b[4];
  int n = sprintf(a, "%d:%s", 7, "abc");
  int m = snprintf(b, sizeof b, "%s", "hello");
  printf("%s %d %d%d%d%d%d %s\n", a, n, 1, 2, 3, 4, m, b);
  return 0;
}
