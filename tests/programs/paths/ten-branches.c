// 2^10 paths.
//@ paths: 1024 completed, 0 errored
#include <taw.h>

int main(void) {
  unsigned short bits = taw_u16("bits");
  int n = 0;
  for (int i = 0; i < 10; i++)
    if (bits >> i & 1) n++;
  return n;
}
