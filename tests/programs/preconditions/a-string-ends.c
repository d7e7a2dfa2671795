// --string: null or text with a zero byte at its end. What else a `char *` may be is excluded, and said.
//@ flags: --entry f --string name
//@ signature: int f(const char *name)
//@ rests-on: `name` is null or text with a zero byte at its end where `f` starts
//@ labels: null ab
#include <taw.h>

int f(const char *name) {
  if (!name) return taw_target("null"), 0;
  if (name[0] == 'a' && name[1] == 'b' && name[2] == '\0') taw_target("ab");
  return 1;
}
