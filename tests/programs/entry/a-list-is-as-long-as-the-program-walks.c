// Lists unroll up to the bound.
//@ flags: --entry length --max-nesting 3
//@ signature: int length(void *list)
//@ exhaustive: false
//@ paths: 4 completed, 0 errored
struct node {
  int value;
  struct node *next;
};

int length(struct node *list) {
  int n = 0;
  for (; list; list = list->next) n++;
  return n;
}
