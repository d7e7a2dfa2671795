// `base + n - k` is in `body` whatever the number `base - k` is: often an address in the slot of `hdr`.
//@ revisions: O0 O2 m32
//@ labels: done
#include <stdlib.h>
#include <taw.h>

int main(void) {
  size_t n;
  taw_symbolic(&n, sizeof n, "n");
  if (n < 20 || n > 40) return 0;
  char *hdr = malloc(16), *body = malloc(32);
  hdr[0] = 1;
  body[n - 20] = 0;
  taw_target("done");
  free(hdr);
  free(body);
  return 0;
}
