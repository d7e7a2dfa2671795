// A null function pointer that is called two calls deep: natively the stack that is shown lacks the function with the call.
//@ flags: --entry outer
//@ signature: int outer(int (*step)(int), int x)
//@ paths: 2 completed, 1 errored
//@ exhaustive: any
static int inner(int (*step)(int), int x) {
  if (x > 3)
    return step(x); //~ BUG invalid-function-pointer: a call to address 0x0, where no function is
  return 0;
}

int outer(int (*step)(int), int x) {
  return inner(step, x + 1) + 1;
}
