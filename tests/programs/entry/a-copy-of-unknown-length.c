// An object may be shorter than what is copied, though it may also be long enough.
//@ flags: --entry f
//@ signature: int f(const void *from, unsigned long n)
//@ exhaustive: any
void *memcpy(void *to, const void *from, unsigned long size);

int f(const void *from, unsigned long n) {
  char own[32];
  if (from == 0 || n > 32) return 1;
  memcpy(own, from, n);                 //~ BUG out-of-bounds-read
                                        //~| WITNESS n > 1
  return 0;
}
