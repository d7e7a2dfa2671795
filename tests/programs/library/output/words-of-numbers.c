// Numbers that depend on inputs cost no path, and their text is what the native program prints, whatever the flags.
//@ revisions: O0 m32
//@ paths: 1 completed, 0 errored
#include <stdio.h>
#include <taw.h>

int main(void) {
  int x = taw_int("x");
  long long y;
  double d = taw_double("d");
  long double l = d;
  taw_symbolic(&y, sizeof y, "y");
  printf("%d|%i|%5d|%-5d|%05d|%+d|% d|%.3d|%u|%x|%X|%#x|%o|%#o|\n", x, x, x, x, x, x, x, x, x, x, x, x, x, x);
  printf("%lld|%llu|%llx|%hhd|%hu|%c|%*d|%-*d|\n", y, y, y, x, x, 'a', 8, x, 9, x);
  printf("%f|%e|%g|%.2f|%+.0e|%#g|%010.1f|%G|%Lf|%Lg\n", d, d, d, d, d, d, d, d, l, l);
  fprintf(stderr, "%d %s", x, "ok");
  printf("%2$d %1$s\n", "ok", x);
  return 0;
}
