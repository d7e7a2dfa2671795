// Jumping into and out of blocks.
//@ revisions: O0 O2
//@ output: 0 1 2 out
#include <stdio.h>

int main(void) {
  int i = 0;
again:
  if (i < 3) {
    printf("%d ", i);
    i++;
    goto again;
  }
  goto out;
  puts("never");
out:
  puts("out");
  return 0;
}
