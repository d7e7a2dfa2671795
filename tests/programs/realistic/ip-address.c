// Parsing dotted numbers with the library's functions.
//@ exhaustive: true
//@ labels: good bad
#include <ctype.h>
#include <stdlib.h>
#include <taw.h>

static int parse(const char *s, unsigned char out[2]) {
  for (int i = 0; i < 2; i++) {
    char *end;
    if (!isdigit((unsigned char)*s)) return 0;
    long v = strtol(s, &end, 10);
    if (v > 255 || (i < 1 ? *end != '.' : *end != 0)) return 0;
    out[i] = (unsigned char)v;
    s = end + 1;
  }
  return 1;
}

int main(void) {
  char s[5] = "1.2";
  unsigned char out[2];
  taw_symbolic(s + 2, 2, "tail");
  if (parse(s, out)) {
    taw_assert(out[0] == 1);
    taw_target("good");
    return 1;
  }
  taw_target("bad");
  return 0;
}
