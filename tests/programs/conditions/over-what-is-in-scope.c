// A condition sees what is in scope at its line: parameters, locals, globals, static and shadowing variables, members, types and macros.
//@ revisions: O0 O2 m32
#include <taw.h>

#define LIMIT 40
enum { SMALL = 3 };
struct pair {
  int a;
  unsigned b : 5;
};
static int calls;

__attribute__((noinline)) static int f(int x, struct pair *pair) {
  static int before;
  calls++;
  int twice = x * 2;
  if (twice == LIMIT) {  //~ REACHED if twice == LIMIT && x == 20
                         //~ UNREACHABLE if twice == 41
                         //~ REACHED if pair->b == 31 && pair->a == x + 1
                         //~ REACHED if ((struct pair *)pair)[0].a == SMALL
                         //~ REACHED if calls == 2 && before == 7
                         //~ UNREACHABLE if calls == 3
    int x = 1;
    before += x;  //~ REACHED if x == 1
                  //~ UNREACHABLE if x == 20
  }
  before = 7;
  return before + twice;
}

int main(void) {
  int x = taw_int("x");
  taw_assume(x > -1000 && x < 1000);
  struct pair pair = {x + 1, (unsigned)x};
  return f(x, &pair) + f(x, &pair);
}
