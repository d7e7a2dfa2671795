// An unknown global that is a pointer, or has pointers in it, leads to objects as parameters do: null, new ones, those of parameters.
//@ flags: --entry sum --globals unknown --max-nesting 2
//@ signature: int sum(void *mine)
//@ exhaustive: false
//@ labels: empty same two
#include <stddef.h>
#include <taw.h>

struct node {
  int value;
  struct node *next;
};
static struct node *head;

int sum(struct node *mine) {
  if (!head) {
    taw_target("empty");
    return 0;
  }
  if (head == mine) taw_target("same");
  int all = head->value;
  if (head->next) {
    all += head->next->value;
    taw_target("two");
  }
  return all;
}
