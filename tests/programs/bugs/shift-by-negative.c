// A negative amount is too wide.
//@ paths: 0 completed, 1 errored
int main(void) {
  volatile int s = -1;
  return 1 << s;  //~ BUG shift-too-wide
}
