// `%hhn` and its like write no more than their type holds.
//@ revisions: O0 m32
//@ paths: 1 completed, 0 errored
//@ output: abcdefghi
//@ output: 3 3 9 9
#include <stdio.h>

int main(void) {
  signed char tiny;
  short half;
  long wide;
  long long widest;
  printf("abc%hhn%hndefghi%ln%lln\n", &tiny, &half, &wide, &widest);
  printf("%d %d %ld %lld\n", tiny, half, wide, widest);
  return 0;
}
