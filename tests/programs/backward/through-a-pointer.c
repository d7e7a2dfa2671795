// What lies behind a pointer is not known where a search begins in the middle, and may be what another pointer leads to.
//@ revisions: ccbse mix symcretic
//@[ccbse] flags: --search CCBSE(RP)
//@[mix] flags: --search Mix-CCBSE(RP,0.1)
//@[symcretic] flags: --search symcretic
//@ target: label:same reached
//@ target: label:never unreachable
//@ target: label:changed reached
#include <taw.h>

struct item {
  int kind;
  struct item *next;
};

static void look(struct item *a, struct item *b) {
  if (a->kind > 5) {
    b->kind = 3;
    if (a->kind == 3) taw_target("same");
    else if (a->kind < 5) taw_target("never");
  }
  if (a->next->kind == 77) taw_target("changed");
}

int main(void) {
  struct item one = {taw_int("one"), 0}, two = {taw_int("two"), &one};
  one.next = &two;
  look(&one, taw_bool("alias") ? &one : &two);
  return 0;
}
