// No bytes may go anywhere: to null, and to what is some way behind it.
//@ flags: --entry f
//@ signature: int f(char *to, char *from, unsigned long n, unsigned long size)
//@ exhaustive: any
void *memcpy(void *to, const void *from, unsigned long size);

int f(char *to, const char *from, unsigned long n, unsigned long size) {
  if (from == 0 || n > 1 || size > 1) return 1;
  memcpy(to + n * size, from, size);    //~ BUG null-dereference
                                        //~| WITNESS size != 0
                                        //~ BUG out-of-bounds-write
                                        //~| WITNESS n == 1 && size == 1
  return 0;
}
