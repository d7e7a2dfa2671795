// Programs of the competition define this themselves: what it ends is no error.
//@ paths: 1 completed, 0 errored
extern void abort(void);
int __VERIFIER_nondet_int(void);

void assume_abort_if_not(int cond) {
  if (!cond) {
    abort();
  }
}

int main(void) {
  int x = __VERIFIER_nondet_int();
  assume_abort_if_not(x > 5);
  return x > 5 ? 0 : 1;
}
