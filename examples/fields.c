/* One function of a library: counts the fields that commas separate. It has no `main`, and takes what its callers have. */
#include <stddef.h>

struct text {
  const char *data;
  size_t len;
};

int fields(const struct text *text) {
  if (text == NULL || text->len == 0) return 0;
  int count = 1;
  for (size_t i = 0; i < text->len; i++)
    if (text->data[i] == ',') count++;
  return count;
}
