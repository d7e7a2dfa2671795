// What lies far behind an object is not what happens to be there.
//@ flags: --entry f
//@ signature: int f(void *p, void *q)
//@ exhaustive: false
struct small {
  int x;
};
struct large {
  int y[100];
};

int f(struct small *p, struct large *q) {
  if (!p || !q) return 0;
  q->y[50] = 1;
  return ((struct large *)p)->y[50];  //~ BUG out-of-bounds-read
}
