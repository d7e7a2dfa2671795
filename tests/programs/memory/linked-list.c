// Nodes on the heap, linked in the order of the inputs.
//@ paths: 6 completed, 0 errored
#include <stdlib.h>
#include <taw.h>

struct node {
  int key;
  struct node *next;
};

static struct node *insert(struct node *list, int key) {
  struct node *n = malloc(sizeof *n), **at = &list;
  n->key = key;
  while (*at && (*at)->key < key) at = &(*at)->next;
  n->next = *at;
  *at = n;
  return list;
}

int main(void) {
  struct node *list = 0;
  for (int i = 0; i < 3; i++) list = insert(list, taw_int("key"));
  for (struct node *n = list; n->next; n = n->next) taw_assert(n->key <= n->next->key);
  while (list) {
    struct node *next = list->next;
    free(list);
    list = next;
  }
  return 0;
}
