// From the middle the index may be anything; all that the ring's own functions do keeps it inside.
//@ flags: --entry ring_get --build-with ring_* --build-calls 3
//@ signature: int ring_get(struct ring *r)
//@ exhaustive: any
struct ring {
  unsigned head, count;
  int values[2];
};

void ring_init(struct ring *r) {
  r->head = 0;
  r->count = 0;
}

int ring_put(struct ring *r, int value) {
  if (r->count == 2) return -1;
  r->values[(r->head + r->count++) % 2] = value;
  return 0;
}

int ring_get(struct ring *r) {
  if (r->count == 0) return -1; //~ BUG null-dereference
  //~| API none: no null is passed
  int value = r->values[r->head]; //~ BUG out-of-bounds-read
  //~| API none: no sequence of up to 3 calls of `ring_init`, `ring_put` and `ring_get` leads to it
  r->head = (r->head + 1) % 2;
  r->count--;
  return value;
}
