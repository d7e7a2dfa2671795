// A finding that needs a pointer into something says into what.
//@ flags: --entry scale
//@ signature: int scale(void *v, void *by)
struct v {
  int x, y;
};

int scale(struct v *v, const int *by) {
  if (!v || !by || *by == 0) return 0;
  v->x = 0;
  return 100 / *by;  //~ BUG division-by-zero
}
