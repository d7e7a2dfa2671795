// The compiler's own jumps, addresses of frames, signalling NaNs.
//@ revisions: O0 O2
//@ paths: 1 completed, 0 errored
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static void *buffer[5];

static __attribute__((noinline)) void leave(int n) {
  if (n == 0) __builtin_longjmp(buffer, 1);
  leave(n - 1);
}

static __attribute__((noinline)) int is_other(volatile char *outer) {
  volatile char *own = __builtin_frame_address(0);
  return own == (volatile char *)__builtin_frame_address(0) && own != 0 && (own != outer || outer == 0);
}

static __attribute__((noinline)) int signals(uint64_t bits) {
  double number;
  memcpy(&number, &bits, sizeof number);
  return !!__builtin_issignaling(number);
}

int main(void) {
  volatile int n = 0;
  if (__builtin_setjmp(buffer) == 0) {
    n = 1;
    leave(3);
  } else {
    n += 10;
  }
  printf("%d %d\n", n, is_other(0));
  printf("%d %d %d\n", signals(0x7ff0000000000001), signals(0x7ff8000000000001), signals(0x7ff0000000000000));
  return 0;
}
