// A pointer just past the end of an object is not passed for what is there, wherever it is used: by a copy of unknown length, by a system call.
//@ flags: --entry send
//@ signature: int send(unsigned char *a, unsigned char *b, unsigned n)
//@ exhaustive: any
#include <string.h>
#include <unistd.h>

int send(unsigned char *a, unsigned char *b, unsigned n) {
  if (!a || !b || n > 1) return 1;
  memcpy(a, b, n);
  return (int)write(1, b, 1);
}
