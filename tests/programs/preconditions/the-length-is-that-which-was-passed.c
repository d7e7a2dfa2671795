// The program may overwrite a length before it uses the array: what the caller has passed counts, whether or not anybody has read it.
//@ flags: --entry take --array buf.data=buf.len --assume=b --alias none
//@ signature: int take(struct buf *b)
//@ rests-on: `buf.data` leads to exactly `buf.len` elements
//@ rests-on: `b` holds where `take` starts
//@ exhaustive: any
typedef struct buf {
  unsigned char len;
  int *data;
} buf;

int take(struct buf *b) {
  b->len = 1;
  if (!b->data) return 0;
  return b->data[0]; //~ BUG out-of-bounds-read
                     //~| COUNT 1
}
