// A switch into a loop.
//@ revisions: O0 O2
//@[O0] paths: 8 completed, 0 errored
#include <taw.h>

int main(void) {
  unsigned n = taw_u32("n"), copied = 0;
  taw_assume(n >= 1);
  taw_assume(n <= 8);
  unsigned rounds = (n + 3) / 4;
  switch (n % 4) {
    case 0: do { copied++;
    case 3: copied++;
    case 2: copied++;
    case 1: copied++;
            } while (--rounds > 0);
  }
  taw_assert(copied == n);
  return (int)copied;
}
