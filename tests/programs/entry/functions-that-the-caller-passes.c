// A function pointer is null, a function of the program of that type, or one of the caller's, which gives back anything; what else that one does nobody
// knows.
//@ revisions: gives program same pointer
//@[gives] flags: --entry gives
//@[gives] signature: int gives(const void *handler)
//@[gives] labels: none even odd
//@[program] flags: --entry program
//@[program] signature: int program(void *call)
//@[program] labels: known known-called
//@[same] flags: --entry same
//@[same] signature: int same(void *one, void *other)
//@[same] labels: same different
//@[pointer] flags: --entry pointer
//@[pointer] signature: int pointer(void *find)
//@[pointer] labels: null five
//@ exhaustive: false
#include <taw.h>

struct handler {
  int (*call)(void *, int);
  void *user;
};

int gives(const struct handler *handler) {
  if (!handler || !handler->call) {
    taw_target("none");
    return 0;
  }
  int first = handler->call(handler->user, 1);
  int second = handler->call(handler->user, 2);
  taw_target(first % 2 ? "odd" : "even");
  if (first == 7) return 100 / (second - 7);  //~[gives] BUG division-by-zero
  return 1;
}

int known(void *user, int n) {
  if (n == 3) taw_target("known-called");
  return n + (user != 0);
}

int program(int (*call)(void *, int)) {
  if (!call) return 0;
  if (call == known) taw_target("known");
  return call(0, 3);
}

int same(int (*one)(int), int (*other)(int)) {
  if (!one || !other) return 0;
  taw_target(one == other ? "same" : "different");
  return one(1) + other(2);
}

int pointer(int *(*find)(const char *)) {
  int *found = find ? find("key") : 0;
  if (!found)
    taw_target("null");
  else if (*found == 5)
    taw_target("five");
  return 0;
}
