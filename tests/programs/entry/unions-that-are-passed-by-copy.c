// A union by copy, in registers or in memory, holds each of its members; pointers in it are the caller's.
//@ revisions: registers memory anonymous
//@[registers] flags: --entry registers
//@[registers] signature: int registers(int tag, union small u)
//@[registers] labels: number pointed
//@[memory] flags: --entry memory
//@[memory] signature: int memory(struct large l)
//@[memory] labels: number pointed
//@[anonymous] flags: --entry anonymous
//@[anonymous] signature: int anonymous(struct nameless a)
//@[anonymous] labels: number pointed
//@ native: none
//@ target: label:number reached
//@ target: label:pointed reached
//@ exhaustive: false
#include <taw.h>

union small {
  long n;
  struct {
    short a;
    int *p;
  } r;
};
struct large {
  int tag;
  union small u;
  long more[2];
};
struct nameless {
  int tag;
  union {
    int n;
    int *p;
  };
};

static int use(int tag, long n, int *p) {
  if (tag == 1 && n == 123456789) taw_target("number");
  if (tag == 2 && p && (unsigned long)p > 4096 && *p == 5) taw_target("pointed"); //~ BUG wild-dereference
  return 0;
}

int registers(int tag, union small u) { return use(tag, u.n, u.r.p); }
int memory(struct large l) { return use(l.tag, l.u.n, l.u.r.p); }
int anonymous(struct nameless a) { return use(a.tag, a.n, a.p); }
