// A list that is a pointer to its first node begins as null: calls that put something into it make it. Who takes from an empty one is perhaps to blame.
//@ revisions: O0 O2
//@ flags: --entry second --entry pop --build-with push,pop --build-calls 2
//@ native: none
//@ exhaustive: any
#include <stdlib.h>

struct node {
  int value;
  struct node *next;
};

void push(struct node **head, int value) {
  struct node *n = malloc(sizeof *n);
  if (!n) return;
  *n = (struct node){value, *head};
  *head = n;
}

int pop(struct node **head) {
  if (!head) return -1;
  struct node *n = *head;
  *head = n->next; //~ BUG null-dereference
  //~| API not found: calls fail that are given the address of a null pointer, which may be the caller's fault
  int value = n->value;
  free(n);
  return value;
}

int second(struct node *head) {
  if (!head || head->value != 4) return 0;
  return head->next->value; //~ BUG null-dereference
  //~| API struct node *node1 = 0; push(&node1, 4); second(node1);
}
