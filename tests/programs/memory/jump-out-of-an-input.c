// Which label an input is may only be known by a condition: each is a path.
//@ paths: 2 completed, 0 errored
//@ labels: a b
//@ native: none
#include <taw.h>

int main(void) {
  static void *const table[3] = {&&a, &&b, &&c};
  void *p;
  taw_symbolic(&p, sizeof p, "p");
  taw_assume((p == table[0]) | (p == table[1]));
  goto *p;
a:
  taw_target("a");
  return 1;
b:
  taw_target("b");
  return 2;
c:
  taw_target("c");
  return 3;
}
