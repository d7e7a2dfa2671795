// --string names members, and characters of any sign; without it the loop would run out of what is tried to be an array.
//@ flags: --entry length --string item.name --max-string 2 --alias none --assume=i&&i->name
//@ signature: int length(struct item *i)
//@ rests-on: `item.name` is null or text with a zero byte at its end
//@ rests-on: `i&&i->name` holds where `length` starts
//@ exhaustive: false
//@ labels: 0 1 2
#include <taw.h>

struct item {
  unsigned char *name;
};

int length(struct item *i) {
  int n = 0;
  while (i->name[n]) n++;
  taw_target(n == 0 ? "0" : n == 1 ? "1" : "2");
  return n;
}
