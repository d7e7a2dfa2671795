// Multiplication, 64 bits.
//@ flags: --check overflow
//@ paths: 1 completed, 1 errored
#include <taw.h>

int main(void) {
  int64_t a = taw_i64("a");
  volatile int64_t b = a * 3;  //~ BUG signed-overflow
  return 0;
}
