// A label that depends on an input is each of its values.
//@ paths: 4 completed, 0 errored
//@ labels: a b c d
#include <taw.h>

int main(void) {
  char name[2] = {0, 0};
  unsigned char c = taw_u8("c");
  taw_assume(c < 4);
  name[0] = (char)('a' + c);
  taw_target(name);
  return 0;
}
