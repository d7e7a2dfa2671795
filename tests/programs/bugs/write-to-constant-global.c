// So are constant globals.
//@ paths: 0 completed, 1 errored
static const int limits[3] = {1, 2, 3};

int main(void) {
  int *volatile p = (int *)limits;
  p[1] = 5;  //~ BUG write-to-constant: `limits`
  return 0;
}
