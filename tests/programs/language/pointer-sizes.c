// The data layout of the target: 32 bits are 32 bits.
//@ flags: --cflag=-m32
//@ native: -m32
//@ output: 4 4 8 12 12
#include <stdio.h>

struct s {
  char c;
  long long l;
};

int main(void) {
  printf("%d %d %d %d %d\n", (int)sizeof(void *), (int)sizeof(long), (int)sizeof(long long), (int)sizeof(struct s), (int)sizeof(long double));
  return 0;
}
