// `%n` says how many bytes were written before it: with a number there, each length is a path.
//@ revisions: O0 m32
//@ labels: one two eleven
//@ exhaustive: true
#include <stdio.h>
#include <taw.h>

int main(void) {
  int n = 0, x = taw_int("x");
  printf("%d%n\n", x, &n);
  if (n == 1) taw_target("one");
  if (n == 2) taw_target("two");
  if (n == 11) taw_target("eleven");
  if (n == 12) taw_target("twelve");
  return 0;
}
