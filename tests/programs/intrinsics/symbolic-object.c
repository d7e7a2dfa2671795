// The bytes of a struct become symbolic, padding and all.
//@ paths: 3 completed, 0 errored
//@ labels: both first
#include <taw.h>

struct pair {
  char tag;
  int value;
};

int main(void) {
  struct pair p;
  taw_symbolic(&p, sizeof p, "p");
  if (p.tag == 'A') {
    taw_target("first");
    if (p.value == 123456) taw_target("both");
  }
  return 0;
}
