// An index that was never set.
//@ flags: --check uninit
//@ native: none
//@ paths: 0 completed, 1 errored
int main(void) {
  int a[4] = {1, 2, 3, 4};
  unsigned i;
  return a[i & 3];  //~ BUG uninitialised-use
}
