// A pointer may be one to an array; what lies beyond the longest that is tried makes the run not exhaustive.
//@ flags: --entry sum --max-array 3
//@ signature: int sum(const unsigned char *p, unsigned n)
//@ exhaustive: false
//@ paths: 4 completed, 4 errored
int sum(const unsigned char *p, unsigned n) {
  if (n == 0) return 0;
  int all = p[0];                       //~ BUG null-dereference
  for (unsigned i = 1; i < n; i++)
    all += p[i];                        //~ BUG out-of-bounds-read: past its end
  return all;
}
