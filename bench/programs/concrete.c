// Concrete-heavy: a sieve, a hash table and string work, about 200 million IR instructions at -O0, and one symbolic
// branch at the end.
#include <klee/klee.h>
#include <stdint.h>

enum { SIEVE = 400000, ROUNDS = 3, SLOTS = 4096, WORDS = 20000, TEXT = 3000, TEXTS = 190 };

static unsigned char composite[SIEVE];
static uint32_t keys[SLOTS], counts[SLOTS];
static char text[TEXT + 1];

static unsigned sieve(void) {
  unsigned primes = 0;
  for (unsigned i = 0; i < SIEVE; i++) composite[i] = 0;
  for (unsigned i = 2; i < SIEVE; i++) {
    if (composite[i]) continue;
    primes++;
    for (unsigned j = i + i; j < SIEVE; j += i) composite[j] = 1;
  }
  return primes;
}

static uint32_t mix(uint32_t x) {
  x ^= x >> 16;
  x *= 0x7feb352du;
  x ^= x >> 15;
  x *= 0x846ca68bu;
  return x ^ x >> 16;
}

static uint32_t hash_words(void) {
  uint32_t used = 0, x = 1;
  for (unsigned i = 0; i < WORDS; i++) {
    x = mix(x + i);
    uint32_t key = x % 3000 + 1, slot = mix(key) % SLOTS;
    while (keys[slot] && keys[slot] != key) slot = (slot + 1) % SLOTS;
    if (!keys[slot]) used++;
    keys[slot] = key;
    counts[slot]++;
  }
  return used;
}

static unsigned words_in(const char *s) {
  unsigned n = 0;
  int inside = 0;
  for (; *s; s++) {
    int letter = *s >= 'a' && *s <= 'z';
    if (letter && !inside) n++;
    inside = letter;
  }
  return n;
}

static unsigned strings(void) {
  unsigned n = 0;
  for (unsigned i = 0; i < TEXTS; i++) {
    for (unsigned j = 0; j < TEXT; j++) text[j] = (j * j + i) % 7 ? (char)('a' + (i + j) % 26) : ' ';
    text[TEXT] = 0;
    n += words_in(text);
  }
  return n;
}

int main(void) {
  int x;
  unsigned result = 0;
  for (int i = 0; i < ROUNDS; i++) {
    result += sieve();
    for (int j = 0; j < 4; j++) result += hash_words();
    result += strings();
  }
  klee_make_symbolic(&x, sizeof x, "x");
  if (x == (int)result) return 1;
  return 0;
}
