// A growing buffer with a wrong growth rule: found as an overflow of the heap block.
//@ exhaustive: true
#include <stdlib.h>
#include <string.h>
#include <taw.h>

struct text {
  char *data;
  size_t length, capacity;
};

static void append(struct text *t, const char *s) {
  size_t n = strlen(s);
  if (t->length + n > t->capacity) {
    t->capacity = 2 * t->capacity;
    t->data = realloc(t->data, t->capacity);
  }
  memcpy(t->data + t->length, s, n);  //~ BUG out-of-bounds-write
  t->length += n;
}

int main(void) {
  struct text t = {malloc(4), 0, 4};
  for (int i = 0; i < 3; i++) append(&t, taw_bool("long") ? "longer" : "ab");
  free(t.data);
  return 0;
}
