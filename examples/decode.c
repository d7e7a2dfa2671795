/* Decodes the percent-escapes of a URL: "a%20b" becomes "a b".
 *
 * The mistake is an old one of real web servers: nobody checks that two characters follow the '%'. Taw finds the
 * texts that make the decoder read past the end of its input, and shows one for each place where it does.
 *
 *   taw run examples/decode.c
 */
#include <taw.h>

static int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

static void decode(char *out, const char *in) {
  while (*in) {
    if (*in == '%') {
      *out++ = (char)(digit(in[1]) * 16 + digit(in[2]));
      in += 3;
    } else {
      *out++ = *in++;
    }
  }
  *out = '\0';
}

int main(void) {
  char url[5], text[5];
  taw_symbolic(url, sizeof url, "url"); /* any five bytes ... */
  taw_assume(url[4] == '\0');           /* ... that end as a string does */
  decode(text, url);
  return 0;
}
