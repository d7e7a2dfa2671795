// On request an object may lead to itself.
//@ flags: --entry f --max-nesting 2 --alias cyclic
//@ signature: int f(void *list)
//@ labels: circle-of-one circle-of-two
#include <taw.h>

struct node {
  int value;
  struct node *next;
};

int f(struct node *list) {
  if (!list || !list->next) return 0;
  if (list->next == list) {
    taw_target("circle-of-one");
    return 1;
  }
  if (list->next->next == list) {
    taw_target("circle-of-two");
    return 2;
  }
  return 3;
}
