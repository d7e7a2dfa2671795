// A decoder that trusts the length byte: the write past its buffer is found, with the input that causes it.
//@ exhaustive: true
#include <stdlib.h>
#include <taw.h>

enum { OUT = 6 };

static int decode(const unsigned char *in, int n, unsigned char *out) {
  int at = 0;
  for (int i = 0; i + 1 < n; i += 2) {
    int count = in[i] & 3;
    while (count--) out[at++] = in[i + 1];  //~ BUG out-of-bounds-write: 1 byte at offset 6
  }
  return at;
}

int main(void) {
  unsigned char in[6], *out = malloc(OUT);
  taw_symbolic(in, sizeof in, "in");
  int n = decode(in, sizeof in, out);
  free(out);
  return n;
}
