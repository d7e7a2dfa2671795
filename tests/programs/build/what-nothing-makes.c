// Where none of the functions makes what the entry takes, that is said; so are those that cannot be called, with the reason.
//@ flags: --entry sum --build-with point_moved,visit
//@ signature: int sum(const struct point *p)
//@ exhaustive: any
struct point {
  int x, y;
};

void point_moved(struct point *p) { p->x++; }

void visit(int (*each)(int)) { each(1); }

int sum(const struct point *p) {
  return 10 / p->x; //~ BUG null-dereference
  //~| API not found: within 4 calls of nothing that can be called: `sum` cannot be called by them: nothing makes a `struct point` & `visit` is not called: it takes a `int (*)(int)`
  //~ BUG division-by-zero
  //~| API not found: `point_moved` is not called: nothing makes a `struct point`
}
