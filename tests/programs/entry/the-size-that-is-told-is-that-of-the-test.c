// How large an object is in the message is how large it is in the test, not how large it could be.
//@ flags: --entry third --max-array 2
//@ signature: int third(const int *p)
//@ exhaustive: false
//@ paths: 1 completed, 1 errored
int third(const int *p) {
  if (!p) return 0;
  return p[2]; //~ BUG out-of-bounds-read: 4 bytes at offset 8 of `*p`, which has 4 bytes
}
