// Between integers and floats.
//@ revisions: O0 O2
//@ paths: 1 completed, 0 errored
#include <taw.h>

int main(void) {
  short i = taw_i16("i");
  signed char s = taw_i8("s");
  taw_assert((short)(double)i == i);
  taw_assert((signed char)(float)s == s);
  taw_assert((float)s <= 127.0f);
  return 0;
}
