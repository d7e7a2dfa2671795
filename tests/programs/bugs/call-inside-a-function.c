// One past the start of a function is no function.
//@ paths: 0 completed, 1 errored
//@ native: none
static int one(void) { return 1; }

int main(void) {
  int (*volatile f)(void) = (int (*)(void))((char *)one + 1);
  return f();  //~ BUG invalid-function-pointer
}
