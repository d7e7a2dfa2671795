// When a full buffer is written depends on its size, which nobody knows: where that shows, no output is claimed.
//@ revisions: O0 m32
//@ paths: 3 completed, 0 errored
#include <stdio.h>
#include <taw.h>
#include <unistd.h>

int main(void) {
  int x = taw_int("x");
  for (int i = 0; i < 300; i++) printf("%d %d\n", i, x);
  if (x == 1) _exit(1);
  if (x == 2) write(1, "between\n", 8);
  return 0;
}
