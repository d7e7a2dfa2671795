// An empty list is what `list_new` makes; that a list counts wrong, no call brings about.
//@ flags: --entry list_mean --build-with list_new,list_add,list_free --build-calls 3
//@ signature: int list_mean(struct list *l)
//@ exhaustive: any
#include <stdlib.h>

struct node {
  int value;
  struct node *next;
};

struct list {
  struct node *first;
  int count;
};

struct list *list_new(void) { return calloc(1, sizeof(struct list)); }

int list_add(struct list *l, int value) {
  struct node *n = malloc(sizeof *n);
  if (!n) return -1;
  *n = (struct node){value, l->first};
  l->first = n;
  l->count++;
  return 0;
}

void list_free(struct list *l) {
  for (struct node *n = l->first; n; n = l->first) {
    l->first = n->next;
    free(n);
  }
  free(l);
}

int list_mean(struct list *l) {
  int sum = 0;
  for (struct node *n = l->first; n; n = n->next) sum += n->value; //~ BUG null-dereference
  //~| API none: no sequence of up to 3 calls of `list_new`, `list_add` and `list_free` leads to it & no null is passed & nothing is used after `list_free`
  return sum / l->count; //~ BUG division-by-zero
  //~| API struct list *list1 = list_new(); list_mean(list1);
  //~ BUG division-overflow
  //~| API none
}
