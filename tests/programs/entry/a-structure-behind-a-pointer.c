// Members are made when they are touched, and pointers among them lead to objects of their own.
//@ flags: --entry parse
//@ signature: int parse(const void *b, void *out)
//@ exhaustive: false
//@ labels: escaped
#include <stddef.h>
#include <taw.h>

struct buf {
  char *data;
  size_t len;
};
struct hdr {
  int kind;
  struct buf *never_used[1000];
};

int parse(const struct buf *b, struct hdr *out) {
  if (b->len < 2) return -1;  //~ BUG null-dereference
  if (b->data[0] != '%') return 0;  //~ BUG null-dereference
  out->kind = b->data[1];  //~ BUG null-dereference
  taw_target("escaped");
  return out->kind == 'n';
}
