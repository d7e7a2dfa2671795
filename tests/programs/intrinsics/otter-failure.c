// __FAILURE is a target in Otter's benchmarks: reaching it is the error.
//@ paths: 2 completed, 1 errored
void __SYMBOLIC(void *);
void __FAILURE(void);

int main(void) {
  int m, n;
  __SYMBOLIC(&m);
  __SYMBOLIC(&n);
  if (m > 30)
    if (n == 2 * m) __FAILURE();  //~ BUG reported-error
  return 0;
}
