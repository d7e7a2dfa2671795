// With --strings any, characters need not end with a zero byte.
//@ flags: --entry length --max-string 3 --strings any
//@ signature: int length(const char *s)
//@ exhaustive: false
int length(const char *s) {
  int n = 0;
  if (!s) return -1;
  while (s[n]) n++;  //~ BUG out-of-bounds-read
  return n;
}
