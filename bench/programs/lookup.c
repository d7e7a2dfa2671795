// Table look-ups with symbolic index: a byte goes through a permutation several times, and the results are compared.
#include <klee/klee.h>

enum { SIZE = 256, ROUNDS = 4 };

static unsigned char table[SIZE];

int main(void) {
  unsigned char in[2];
  /* x -> 167 x + 13 is a permutation of the bytes. */
  for (int i = 0; i < SIZE; i++) table[i] = (unsigned char)(167 * i + 13);
  klee_make_symbolic(in, sizeof in, "in");
  unsigned char a = in[0], b = in[1];
  int score = 0;
  for (int i = 0; i < ROUNDS; i++) {
    a = table[a];
    b = table[b ^ a];
    if (a > b) score++;
    if (table[(unsigned char)(a + b)] < 16) score += 8;
  }
  table[a] = b;
  if (table[b] == a) score += 64;
  return score;
}
