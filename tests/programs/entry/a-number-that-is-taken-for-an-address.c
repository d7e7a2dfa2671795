// Bytes that are used as an address are one of Taw's: natively that is another's, or nobody's.
//@ rests-on: the global variable `table` has its initial value (--globals)
//@ flags: --entry f
//@ signature: int f(void *block)
//@ exhaustive: any
static int table[4] = {1, 2, 3, 4};

int f(void *block) {
  if (block == 0) return 1;
  int *inside = *(int **)block;         //~ BUG out-of-bounds-read
  return *inside == table[2];           //~ BUG null-dereference
}
