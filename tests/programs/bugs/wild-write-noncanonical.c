// An address with its high bits set.
//@ paths: 0 completed, 1 errored
int main(void) {
  char *volatile p = (char *)0xdeadbeefdeadbeef;
  *p = 0;  //~ BUG wild-dereference
  return 0;
}
