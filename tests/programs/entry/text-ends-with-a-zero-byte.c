// A `char *` is text unless something else is said.
//@ flags: --entry length --max-string 3
//@ signature: int length(const char *s)
//@ exhaustive: false
//@ paths: 4 completed, 1 errored
int length(const char *s) {
  int n = 0;
  while (s[n]) n++;  //~ BUG null-dereference
  return n;
}
