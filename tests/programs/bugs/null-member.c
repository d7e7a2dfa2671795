// A member of a null struct lies near address zero.
//@ paths: 0 completed, 1 errored
struct s {
  int a[10];
  int b;
};

int main(void) {
  struct s *volatile p = 0;
  return p->b;  //~ BUG null-dereference: read of 4 bytes at address 40
}
