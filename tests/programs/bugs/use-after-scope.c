// The local's block has ended, its function has not. Clang marks the end of a block at -O1 and above only.
//@ flags: --cflag=-O1 --cflag=-Xclang --cflag=-disable-llvm-passes
//@ native: -O1
//@ paths: 0 completed, 1 errored
int *volatile kept;

int main(void) {
  {
    int x = 4;
    kept = &x;
  }
  return *kept;  //~ BUG use-after-scope: read of 4 bytes in `x`
}
