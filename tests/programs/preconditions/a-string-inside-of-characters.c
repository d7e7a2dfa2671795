// A string that lies in an array of characters which is no text ends inside of that.
//@ flags: --entry f --array at=n --string s --assume=s&&n<=2 --max-string 2
//@ signature: int f(const char *at, int n, const char *s)
//@ rests-on: `at` leads to exactly `n` elements where `f` starts
//@ rests-on: `s` is null or text with a zero byte at its end where `f` starts
//@ rests-on: `s&&n<=2` holds where `f` starts
//@ exhaustive: false
//@ labels: inside
#include <taw.h>

int f(const char *at, int n, const char *s) {
  int length = 0;
  if (s == at && n == 2) taw_target("inside");
  while (s[length]) length++;
  return length;
}
