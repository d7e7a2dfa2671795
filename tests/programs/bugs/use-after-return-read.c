// The address of a local leaves its function.
//@ paths: 0 completed, 1 errored
static int *leak(int x) {
  int local = x;
  int *volatile p = &local;
  return p;
}

int main(void) {
  int *p = leak(3);
  return *p;  //~ BUG use-after-return: read of 4 bytes in `local`
}
