// What may be an unknown pointer or the program's own object is null only where it is the pointer.
//@ flags: --entry f
//@ signature: int f(char *s, unsigned n)
//@ exhaustive: any
int f(char *s, unsigned n) {
  char own[1];
  char *both[2] = {own, s};
  char *p = both[n & 1];
  *p = 7;                               //~ BUG null-dereference
                                        //~| WITNESS (n & 1) == 1
  return 0;
}
