// Of a `char *` a tie says how many characters there are, and nothing of a zero byte.
//@ flags: --entry f --array text=n --assume=n<=2
//@ signature: int f(const char *text, unsigned n)
//@ rests-on: `text` leads to exactly `n` elements where `f` starts
//@ rests-on: `n<=2` holds where `f` starts
//@ labels: open closed
#include <taw.h>

int f(const char *text, unsigned n) {
  if (n == 0) return 0;
  taw_target(text[n - 1] ? "open" : "closed");
  return text[0] + text[n - 1];
}
