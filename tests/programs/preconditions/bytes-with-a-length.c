// What a `void *` leads to has that many bytes.
//@ flags: --entry f --array at=size --assume=size>=4&&size<6
//@ signature: int f(void *at, unsigned char size)
//@ rests-on: `at` leads to exactly `size` elements where `f` starts
//@ rests-on: `size>=4&&size<6` holds where `f` starts
int f(void *at, unsigned char size) {
  unsigned char *bytes = at;
  bytes[3] = 1;
  return bytes[4]; //~ BUG out-of-bounds-read
}
