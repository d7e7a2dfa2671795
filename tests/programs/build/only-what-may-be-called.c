// What is assumed of the entry's arguments is assumed of those that calls make, too.
//@ flags: --entry pair_ratio --assume p!=0 --assume p->b!=0||p->a!=7 --build-with pair_* --build-calls 2
//@ signature: int pair_ratio(struct pair *p)
//@ rests-on: `p!=0` holds where `pair_ratio` starts
//@ rests-on: `p->b!=0||p->a!=7` holds where `pair_ratio` starts
//@ native: none
//@ exhaustive: any
struct pair {
  int a, b;
};

void pair_init(struct pair *p) {
  p->a = 7;
  p->b = 0;
}

void pair_swap(struct pair *p) {
  int a = p->a;
  p->a = p->b;
  p->b = a;
}

int pair_ratio(struct pair *p) {
  return p->a / p->b; //~ BUG division-by-zero
  //~| API none: no sequence of up to 2 calls
  //~ BUG division-overflow
  //~| API none
}
