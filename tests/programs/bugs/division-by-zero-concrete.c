// Without any input.
//@ paths: 0 completed, 1 errored
int main(void) {
  volatile int zero = 0;
  return 5 / zero;  //~ BUG division-by-zero
}
