// A loop without end is stopped by the limit, honestly.
//@ flags: --max-time 1s
//@ exhaustive: false
#include <taw.h>

int main(void) {
  volatile unsigned n = 0;
  if (taw_bool("b"))
    for (;;) n++;
  return 0;
}
