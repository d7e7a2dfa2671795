// --invariant: a predicate of the program holds of every structure of its type. It may be static, and used by nobody else.
//@ revisions: O0 O2
//@ flags: --entry room --invariant buf=buf_ok
//@ signature: unsigned room(const struct buf *b)
//@ rests-on: `buf_ok` holds of every `buf` that is passed
//@ labels: null full
#include <taw.h>

struct buf {
  unsigned len, cap;
};

static int buf_ok(const struct buf *b) { return b->len <= b->cap && b->cap < 100; }

unsigned room(const struct buf *b) {
  if (!b) return taw_target("null"), 0;
  taw_assert(b->cap - b->len < 100);
  if (b->len == b->cap) taw_target("full");
  return b->cap - b->len;
}
