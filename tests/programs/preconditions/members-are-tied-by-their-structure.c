// Members are named by the tag of their structure; in a structure inside of another they are tied, too, and in each element of an array.
//@ flags: --entry total --array buf.data=buf.len --assume=s&&s->in[1].len<=2&&s->len==7 --alias none
//@ signature: int total(struct shelf *s)
//@ rests-on: `buf.data` leads to exactly `buf.len` elements
//@ rests-on: `s&&s->in[1].len<=2&&s->len==7` holds where `total` starts
//@ labels: two
#include <taw.h>

struct buf {
  short *data;
  unsigned len;
};
struct shelf {
  int len;
  struct buf in[2];
};

int total(struct shelf *s) {
  int sum = 0;
  struct buf *b = &s->in[1];
  for (unsigned i = 0; i < b->len; i++) sum += b->data[i] == 3;
  if (sum == 2) taw_target("two");
  return sum;
}
