// Between integers and floats.
//@ revisions: O0 O2
//@ paths: 1 completed, 0 errored
#include <taw.h>

int main(void) {
  int i = taw_int("i");
  short s = taw_i16("s");
  taw_assert((int)(double)i == i);
  taw_assert((short)(float)s == s);
  taw_assert((float)s <= 32767.0f);
  return 0;
}
