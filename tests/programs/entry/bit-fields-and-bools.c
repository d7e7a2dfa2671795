// Bit fields are bytes, a bool is 0 or 1, a large result goes where the caller has room.
//@ flags: --entry f
//@ signature: int f(void *p, _Bool *flag)
//@ labels: three other
//@ paths: 8 completed, 0 errored
#include <taw.h>

struct bits {
  unsigned a : 3, b : 5;
  int rest;
};

int f(struct bits *p, _Bool *flag) {
  if (!p || !flag) return 0;
  if (p->a == 5 && p->b == 17) taw_target("three");
  int n = 0;
  switch (*(unsigned char *)flag) {
    case 0: n = 1; break;
    case 1: n = 2; break;
    default: taw_target("never");
  }
  taw_target("other");
  return n;
}
