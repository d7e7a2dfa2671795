// Cut by depth: not exhaustive, and nothing decided, because no path is completed.
//@ exit: 3
//@ flags: --max-depth 3
//@ exhaustive: false
#include <taw.h>

int main(void) {
  unsigned x = taw_u32("x");
  int n = 0;
  for (int i = 0; i < 8; i++)
    if (x >> i & 1) n++;
  return n;
}
