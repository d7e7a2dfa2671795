// Functions may give back and take objects themselves.
//@ flags: --entry range_step --build-with range_of,range_shrunk
//@ signature: int range_step(const struct range *r, int parts)
//@ exhaustive: any
struct range {
  short from, to;
};

struct range range_of(short from) { return (struct range){from, from + 2}; }

struct range range_shrunk(struct range r) {
  r.to -= 2;
  return r;
}

int range_step(const struct range *r, int parts) {
  if (!r || parts != 5) return 0;
  return 100 / (r->to - r->from); //~ BUG division-by-zero
  //~| API struct range range1 = range_of(0); struct range range2 = range_shrunk(range1); range_step(&range2, 5);
}
