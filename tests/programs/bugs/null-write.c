// Written.
//@ paths: 0 completed, 1 errored
int main(void) {
  char *volatile p = 0;
  *p = 1;  //~ BUG null-dereference: write of 1 byte at address 0
  return 0;
}
