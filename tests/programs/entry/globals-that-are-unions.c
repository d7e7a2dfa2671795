// A global union holds each of its members, natively too.
//@ flags: --entry look --globals unknown --alias none
//@ signature: int look(int tag)
//@ exhaustive: false
//@ labels: number text
#include <taw.h>

union {
  unsigned char n;
  const char *s;
} value;

int look(int tag) {
  if (tag == 0 && value.n == 200) taw_target("number");
  if (tag == 1 && value.s && value.s[0] == 'x') taw_target("text"); //~ BUG null-dereference
  return 0;
}
