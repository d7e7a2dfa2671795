// A search that could go on for ever with few states at a time, for bench/steady.py: depth-first at most some hundred states wait, and
// every path makes terms, conditions, memory and output of its own, which nobody needs any more when it has ended.
#include <stdio.h>
#include <stdlib.h>
#include <taw.h>

enum { LENGTH = 64 };

int main(void) {
  unsigned char in[LENGTH], seen[16] = {0};
  taw_symbolic(in, sizeof in, "in");
  char *text = malloc(LENGTH + 1);
  unsigned short mixed = 1;
  int used = 0;
  for (int i = 0; i < LENGTH; i++) {
    if (in[i] > 100) {
      mixed = (unsigned short)(mixed * 5 + in[i]);
      seen[i & 15] ^= in[i];
    } else {
      mixed ^= (unsigned short)(in[i] << 3);
      text[used++] = (char)('a' + (in[i] & 15));
    }
    if (i % 16 == 15 && (seen[3] & 7) == (in[i] & 7)) mixed++;
  }
  text[used] = 0;
  printf("%d %s\n", mixed, text);
  free(text);
  return mixed & 1;
}
