// Function pointers in a table, called by a symbolic sequence of events.
//@ exhaustive: true
//@ labels: opened closed locked wrong
#include <taw.h>

enum state { CLOSED, OPEN, LOCKED };
typedef enum state (*handler)(enum state);

static enum state open_it(enum state s) {
  if (s == LOCKED) taw_target("wrong");
  else taw_target("opened");
  return s == CLOSED ? OPEN : s;
}
static enum state close_it(enum state s) {
  if (s == OPEN) taw_target("closed");
  return s == OPEN ? CLOSED : s;
}
static enum state lock_it(enum state s) {
  if (s == CLOSED) taw_target("locked");
  return s == CLOSED ? LOCKED : s;
}

int main(void) {
  static const handler handlers[] = {open_it, close_it, lock_it};
  enum state s = CLOSED;
  for (int i = 0; i < 3; i++) {
    unsigned event = taw_choose(3);
    s = handlers[event](s);
  }
  return s;
}
