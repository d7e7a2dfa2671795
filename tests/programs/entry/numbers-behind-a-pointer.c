// A pointer as parameter of the entry is null or points at a number of its type; nothing else matters to one who reads one number.
//@ flags: --entry f
//@ signature: int f(int *p)
//@ paths: 2 completed, 1 errored
int f(int *p) {
  if (*p > 10) return 1;  //~ BUG null-dereference
  return 0;
}
