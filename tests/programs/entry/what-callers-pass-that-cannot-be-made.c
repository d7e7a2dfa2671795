// Functions that return structures and further arguments of the caller's: a path that uses them ends, and the others do not.
//@ revisions: function variadic
//@[function] flags: --entry function
//@[variadic] flags: --entry variadic
//@ native: none
//@ exhaustive: false
//@ labels: without
#include <stdarg.h>
#include <taw.h>

struct pair {
  int a, b;
};

struct handler {
  struct pair (*call)(int);
};

int function(struct handler *handler) {
  if (!handler) return 0;
  if (handler->call) return handler->call(1).a;
  taw_target("without");
  return 0;
}

int variadic(int n, ...) {
  va_list list;
  va_start(list, n);
  int x = 0;
  if (n > 0) x = va_arg(list, int);
  va_end(list);
  if (n <= 0) taw_target("without");
  return x;
}
