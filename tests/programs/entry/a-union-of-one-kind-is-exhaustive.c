// Members that are the same pointer are one content, and a pointer that is only compared with null needs no object.
//@ flags: --entry is_there --alias none
//@ signature: int is_there(void *v)
//@ paths: 5 completed, 0 errored
//@ labels: yes no
#include <taw.h>

struct node {
  int tag;
  union {
    struct node *next;
    struct node *child;
    long number;
  } u;
};

int is_there(struct node *v) {
  if (!v) return 0;
  taw_target(v->u.child ? "yes" : "no");
  return 1;
}
