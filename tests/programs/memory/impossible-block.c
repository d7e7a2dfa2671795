// More than an address space is had by nobody.
//@ paths: 1 completed, 0 errored
//@ native: none
//@ target: label:none reached
//@ target: label:some unreachable
#include <stdlib.h>
#include <taw.h>

int main(void) {
  volatile size_t most = (size_t)-1 / 2;
  char *p = malloc(most);
  if (p) taw_target("some");
  else taw_target("none");
  free(p);
  return 0;
}
