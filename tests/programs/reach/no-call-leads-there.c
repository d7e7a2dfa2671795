// A function that nobody calls is unreachable without a single query, even if the run never ends.
//@ target: forgotten unreachable
//@ target: label:inside unreachable
#include <taw.h>

void forgotten(void) { taw_target("inside"); }

int main(void) {
  volatile unsigned n = 0;
  for (;;) n++;
}
