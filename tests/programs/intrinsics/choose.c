// A value below n; the program's own branches make the paths.
//@ paths: 3 completed, 0 errored
//@ labels: zero four
#include <taw.h>

int main(void) {
  unsigned c = taw_choose(5);
  if (c == 0) taw_target("zero");
  if (c == 4) taw_target("four");
  taw_assert(c < 5);
  return (int)c;
}
