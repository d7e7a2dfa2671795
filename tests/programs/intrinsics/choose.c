// Every alternative on a path of its own.
//@ paths: 5 completed, 0 errored
//@ labels: zero four
#include <taw.h>

int main(void) {
  unsigned c = taw_choose(5);
  if (c == 0) taw_target("zero");
  if (c == 4) taw_target("four");
  taw_assert(c < 5);
  return (int)c;
}
