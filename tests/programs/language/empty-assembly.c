// An empty assembly statement as a compiler barrier does nothing.
//@ exhaustive: any
//@ native: none
#include <taw.h>

int main(void) {
  int x = taw_int("x");
  __asm__ volatile("" ::: "memory");
  return x == 3;
}
