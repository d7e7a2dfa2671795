// A number that is used as an address is one of Taw's: natively that is another's, or nobody's.
//@ rests-on: the global variable `table` has its initial value (--globals)
//@ flags: --entry f
//@ signature: int f(unsigned long block)
//@ exhaustive: any
static char table[4] = {1, 2, 3, 4};

int f(unsigned long block) {
  if (block == 0) return 1;
  char *inside = (char *)block;
  return *inside == table[2];           //~ BUG null-dereference
}
