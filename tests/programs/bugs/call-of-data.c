// A global variable is no function.
//@ paths: 0 completed, 1 errored
static int data[4];

int main(void) {
  void (*volatile f)(void) = (void (*)(void))data;
  f();  //~ BUG invalid-function-pointer
  return 0;
}
