// How far two objects are apart is Taw's choice: a path that hangs on it may go another way natively, and proves nothing.
//@ flags: --entry f
//@ signature: int f(char *from, char *to)
//@ exhaustive: false
int f(const char *from, const char *to) {
  if (from == 0 || to == 0) return 1;
  for (int i = 0; i < to - from; i += 64)
    if (*from) return 2;
  if ((to - from) / 2 > 5) return 3;
  return 0;
}
