// `table[c - 'A']` at -O2 is `table + c`, then 65 less: the number in between says nothing of the array.
//@ revisions: O0 O1 O2 O3
//@[O1] flags: --cflag -O1
//@[O3] flags: --cflag -O3
//@ exhaustive: true
//@ labels: seven nine other
#include <taw.h>

static const unsigned char before[512] = {1, 2, 3}, table[58] = {[23] = 7, [55] = 9};

int main(void) {
  unsigned char c = taw_u8("c");
  taw_assume((c == 'X') | (c == 'x'));
  if (taw_int("z") == 1) {
    taw_target("other");
    return before[c];
  }
  if (table[c - 'A'] == 7) {
    taw_target("seven");
    return 7;
  }
  if (table[c - 'A'] == 9) taw_target("nine");
  return table[c - 'A'];
}
