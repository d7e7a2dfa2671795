// `alloca` that is declared with another type than the compiler's own is a function by name only: its memory is the caller's.
//@ revisions: m32
//@ paths: 0 completed, 1 errored
//@ native: none
extern void *alloca(unsigned long size);

static char *dangling(void) {
  char *p = alloca(8);
  p[7] = 1;
  return p;
}

int main(void) {
  char *p = alloca(8);
  p[7] = 1;
  return dangling()[7] + p[7]; //~ BUG use-after-return
}
