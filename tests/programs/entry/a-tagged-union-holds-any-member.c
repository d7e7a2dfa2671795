// A union with a pointer in it holds each of its members, whatever the tag beside it says: what is wrong for a member is found.
//@ flags: --entry first --strings any
//@ signature: int first(void *v)
//@ exhaustive: false
//@ labels: number text list empty
#include <stddef.h>
#include <taw.h>

struct value {
  enum { NUMBER, TEXT, LIST } tag;
  union {
    long n;
    double d;
    char *s;
    struct value *list;
  } u;
};

int first(struct value *v) {
  if (!v) return -1;
  switch (v->tag) {
  case NUMBER:
    if (v->u.n == 77) taw_target("number");
    return 0;
  case TEXT:
    if (v->u.s == NULL) return 0;
    if (v->u.s[0] == 'x') taw_target("text"); //~ BUG null-dereference
    return 1;
  case LIST:
    taw_target(v->u.list ? "list" : "empty");
    return 2;
  }
  return 3;
}
