// Encoding and decoding three symbolic bytes gives them back.
//@ revisions: O0 O2
//@ exhaustive: true
#include <string.h>
#include <taw.h>

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static int value(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  return c == '+' ? 62 : c == '/' ? 63 : -1;
}

int main(void) {
  unsigned char in[3], out[3];
  char text[5] = {0};
  taw_symbolic(in, sizeof in, "in");
  taw_assume(in[1] == 'M');
  unsigned bits = (unsigned)in[0] << 16 | (unsigned)in[1] << 8 | in[2];
  for (int i = 0; i < 4; i++) text[i] = alphabet[bits >> (18 - 6 * i) & 63];
  bits = 0;
  for (int i = 0; i < 4; i++) {
    int v = value(text[i]);
    taw_assert(v >= 0);
    bits = bits << 6 | (unsigned)v;
  }
  for (int i = 0; i < 3; i++) out[i] = (unsigned char)(bits >> (16 - 8 * i));
  taw_assert(memcmp(in, out, 3) == 0);
  return 0;
}
