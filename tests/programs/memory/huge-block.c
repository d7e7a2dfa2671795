// A block of 5 GiB may be had natively, or not: only one outcome is seen, so nothing is exhaustive.
//@ paths: 1 completed, 0 errored
//@ exhaustive: false
//@ native: none
//@ target: label:some unknown
#include <stdlib.h>
#include <taw.h>

int main(void) {
  char *p = malloc((size_t)5 << 30);
  if (p) taw_target("some");
  else taw_target("none");
  free(p);
  return 0;
}
