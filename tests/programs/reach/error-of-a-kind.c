// An error counts only at its line and of its kind.
//@ target: error-of-a-kind.c:12! reached
//@ target: error-of-a-kind.c:12!out-of-bounds-read reached
//@ target: error-of-a-kind.c:12!division-by-zero unreachable
//@ target: error-of-a-kind.c:13!division-by-zero reached
//@ target: error-of-a-kind.c:14! unreachable
#include <taw.h>

int main(void) {
  int a[4] = {1, 2, 3, 4};
  unsigned i = taw_uint("i"), d = taw_uint("d");
  int x = i < 6 ? a[i] : 0;
  if (i > 100) x = 7 / d;
  return x + 1;
}
