// Packed members and bit-fields that cross bytes, all symbolic.
//@ revisions: O0 O2 m32
//@ paths: 1 completed, 0 errored
#include <taw.h>

struct __attribute__((packed)) packed {
  char a;
  int b;
  short c : 5;
  unsigned long long d : 40;
};

int main(void) {
  struct packed p;
  taw_symbolic(&p, sizeof p, "p");
  int b = p.b;
  p.a = 1;
  p.c = -3;
  taw_assert(p.b == b);
  taw_assert(p.c == -3);
  unsigned long long d = p.d;
  p.c = 7;
  taw_assert(p.d == d);
  p.d = d + 1;
  taw_assert(p.d == ((d + 1) & 0xffffffffffull));
  taw_assert(p.c == 7);
  return 0;
}
