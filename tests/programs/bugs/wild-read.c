// A number made into a pointer.
//@ paths: 0 completed, 1 errored
int main(void) {
  int *volatile p = (int *)0x10000000;
  return *p;  //~ BUG wild-dereference: 0x10000000
}
