// Copying, storing and returning what is not set is no use of it.
//@ flags: --check uninit
//@ paths: 1 completed, 0 errored
//@ sanitize: memory
struct s {
  char a;
  int b;
};

int main(void) {
  struct s x, y;
  x.b = 3;
  y = x;
  x = y;
  return y.b == 3 ? 0 : 1;
}
