// __VERIFIER_assume prunes; reach_error is the error.
//@ paths: 1 completed, 1 errored
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void) {
  int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
  __VERIFIER_assume(x > y && y > 0 && x < 4);
  if (x + y == 5) reach_error();  //~ BUG reported-error
  return 0;
}
