// Whether 0 or 1 means that it went well is not known: what is made then is not used.
//@ flags: --entry tank_level --build-with tank_init
//@ signature: int tank_level(struct tank *t)
//@ exhaustive: any
struct tank {
  int size;
};

int tank_init(struct tank *t, int size) {
  if (size <= 0) return 0;
  t->size = size;
  return 1;
}

int tank_level(struct tank *t) {
  if (!t) return 0;
  return 10 / t->size; //~ BUG division-by-zero
  //~| API not found: `tank_init` is not called: which of its results means success is not known
}
