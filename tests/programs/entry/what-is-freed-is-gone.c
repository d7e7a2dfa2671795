// An object of the caller's may be freed, and used too late.
//@ flags: --entry f
//@ signature: int f(void *p)
//@ exhaustive: false
#include <stdlib.h>

struct pair {
  int *first;
  int second;
};

int f(struct pair *p) {
  free(p->first);  //~ BUG null-dereference
  free(p);
  return p->second;  //~ BUG use-after-free
}
