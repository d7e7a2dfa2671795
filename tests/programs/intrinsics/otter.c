// Otter's intrinsics: a whole variable, an assumption, an assertion.
//@ paths: 2 completed, 1 errored
void __SYMBOLIC(void *);
void __ASSUME(int, ...);
void __ASSERT(int, ...);

int main(void) {
  int x;
  char text[3];
  __SYMBOLIC(&x);
  __SYMBOLIC(text);
  __ASSUME(x >= 0);
  __ASSERT(text[2] != 'z');  //~ BUG assertion-failure
  if (x > 10) return 1;
  return 0;
}
