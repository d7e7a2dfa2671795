// memcpy to and from symbolic offsets.
//@ paths: 2 completed, 0 errored
#include <string.h>
#include <taw.h>

int main(void) {
  char from[8] = "ABCDEFG", to[8] = {0};
  unsigned i = taw_u32("i"), j = taw_u32("j");
  taw_assume(i <= 5 && j <= 5);
  memcpy(to + i, from + j, 3);
  taw_assert(to[i] == (char)('A' + j) && to[i + 2] == (j == 5 ? 0 : (char)('C' + j)));
  return 0;
}
