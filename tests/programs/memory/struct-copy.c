// Assignment of a struct copies every member.
//@ revisions: O0 O2
//@ paths: 1 completed, 0 errored
#include <taw.h>

struct big {
  int a[20];
  char tail[3];
};

int main(void) {
  struct big x = {{0}, "ab"}, y;
  x.a[7] = taw_int("v");
  y = x;
  x.a[7] = 0;
  struct big z = y;
  taw_assert(z.tail[1] == 'b' && z.a[7] == y.a[7]);
  return 0;
}
