// The small regular-expression matcher of Kernighan and Pike (^ $ . *), on a pattern of 7 symbolic bytes without a
// terminator: some paths read past its end, which is the error that KLEE's tutorial shows.
#include <klee/klee.h>

enum { PATTERN = 7 };

static int here(const char *pattern, const char *text);

/* c* and then the rest of the pattern */
static int star(int c, const char *pattern, const char *text) {
  do {
    if (here(pattern, text)) return 1;
  } while (*text != '\0' && (*text++ == c || c == '.'));
  return 0;
}

static int here(const char *pattern, const char *text) {
  if (pattern[0] == '\0') return 0;
  if (pattern[1] == '*') return star(pattern[0], pattern + 2, text);
  if (pattern[0] == '$' && pattern[1] == '\0') return *text == '\0';
  if (*text != '\0' && (pattern[0] == '.' || pattern[0] == *text)) return here(pattern + 1, text + 1);
  return 0;
}

static int match(const char *pattern, const char *text) {
  if (pattern[0] == '^') return here(pattern + 1, text);
  do {
    if (here(pattern, text)) return 1;
  } while (*text++ != '\0');
  return 0;
}

int main(void) {
  char pattern[PATTERN];
  klee_make_symbolic(pattern, sizeof pattern, "pattern");
  match(pattern, "hello");
  return 0;
}
