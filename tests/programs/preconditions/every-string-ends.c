// --string '*': every `char *`, in structures, too; whether characters come otherwise without an end does not matter.
//@ flags: --entry f --string * --strings any --alias none
//@ signature: int f(struct pair *p)
//@ rests-on: every `char *` is null or text with a zero byte at its end
//@ target: label:both reached
//@ target: label:open unreachable
#include <taw.h>

struct pair {
  char *key, *value;
};

static int is_one(const char *s) { return s && s[0] == '1' && s[1] == '\0'; }

int f(struct pair *p) {
  if (!p) return 0;
  if (is_one(p->key) && is_one(p->value)) taw_target("both");
  if (p->key && p->key[0] != '\0' && p->key + 1 == (char *)0) taw_target("open");
  return 0;
}
