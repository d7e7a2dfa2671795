// An argument that was not passed is read past those that were, in whatever class.
//@ native: none
//@ paths: 1 completed, 2 errored
#include <stdarg.h>
#include <taw.h>

static double sum(int count, ...) {
  va_list list;
  va_start(list, count);
  double all = va_arg(list, int);
  if (count == 1) all += va_arg(list, int); //~ BUG out-of-bounds-read
  if (count == 2) all += va_arg(list, double); //~ BUG out-of-bounds-read
  va_end(list);
  return all;
}

int main(void) { return sum(taw_choose(3), 1) > 2; }
