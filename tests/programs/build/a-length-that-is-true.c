// Whoever says that there are more bytes than there are is to blame: such calls are not tried.
//@ flags: --entry view_last --build-with view_* --build-calls 2
//@ signature: int view_last(const struct view *v)
//@ exhaustive: any
#include <stddef.h>
#include <stdlib.h>

struct view {
  const char *text;
  size_t length;
};

void view_init(struct view *v, const char *text, size_t length) {
  v->text = text;
  v->length = length;
}

int view_last(const struct view *v) {
  if (!v || !v->text) return -1;
  if (v->length > 4) return 0;
  return v->text[v->length]; //~ BUG out-of-bounds-read
  //~| API none: texts have up to 8 characters & no more is said by `length` than is there
}
