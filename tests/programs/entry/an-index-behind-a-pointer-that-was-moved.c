// After the pointer was moved an index may lead beyond the longest array that is tried: longer ones are named, not forgotten.
//@ flags: --entry after --max-array 3
//@ signature: int after(unsigned char *q, unsigned char n)
//@ exhaustive: false
//@ paths: 3 completed, 1 errored
int after(unsigned char *q, unsigned char n) {
  if (!q) return 1;
  q++;
  if (q[n & 3] == 3) //~ BUG out-of-bounds-read
    return 4;
  return 0;
}
