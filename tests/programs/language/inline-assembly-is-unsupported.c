// Inline assembly that is not understood stops the path with its name and place; the other path is explored.
//@ unsupported: assembl
//@ paths: 1 completed, 0 errored
//@ exhaustive: false
#include <taw.h>

int main(void) {
  int x = taw_int("x");
  if (x == 5) __asm__ volatile("hlt");
  return 0;
}
