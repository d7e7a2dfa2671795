/* The part of <stdlib.h> (and of <inttypes.h>) that is ordinary C: numbers, sorting, random numbers, for targets
 * without the whole library.
 *
 * The heap, exit, abort and atexit are the engine's models. Whole numbers are read by libc/numbers.c.
 */
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

int abs(int x) { return x < 0 ? -x : x; }
long labs(long x) { return x < 0 ? -x : x; }
long long llabs(long long x) { return x < 0 ? -x : x; }

div_t div(int a, int b) { return (div_t){a / b, a % b}; }
ldiv_t ldiv(long a, long b) { return (ldiv_t){a / b, a % b}; }
lldiv_t lldiv(long long a, long long b) { return (lldiv_t){a / b, a % b}; }

/* The value of a decimal digit, or something greater than 9. */
static unsigned digit(char c) { return (unsigned)c - '0'; }

static int space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/* 10 to the power of n; exact up to 10^27, which is what 64 bits of mantissa hold. */
static long double ten_to(int n) {
  long double power = 1, base = 10;
  for (; n; n >>= 1, base *= base)
    if (n & 1) power *= base;
  return power;
}

static int same_word(const char *s, const char *word) {
  for (; *word; s++, word++)
    if ((*s | 32) != *word) return 0;
  return 1;
}

/* Decimal numbers of up to 19 digits whose power of ten is exact are rounded twice at most (to long double, then to the
 * result); others may be off in the last place. No hexadecimal form. */
long double strtold(const char *restrict s, char **restrict end) {
  const char *start = s;
  unsigned long long mantissa = 0;
  int negative = 0, any = 0, scale = 0, point = 0;
  while (space(*s)) s++;
  if (*s == '+' || *s == '-') negative = *s++ == '-';
  if (same_word(s, "inf") || same_word(s, "nan")) {
    long double special = same_word(s, "inf") ? __builtin_infl() : __builtin_nanl("");
    if (end) *end = (char *)s + (same_word(s, "infinity") ? 8 : 3);
    return negative ? -special : special;
  }
  for (; digit(*s) < 10 || (*s == '.' && !point); s++) {
    if (*s == '.') {
      point = 1;
      continue;
    }
    any = 1;
    if (mantissa < 1000000000000000000ull) {
      mantissa = mantissa * 10 + digit(*s);
      scale -= point;
    } else {
      scale += !point; /* a digit beyond what is kept */
    }
  }
  if (!any) s = start;
  if (any && (*s == 'e' || *s == 'E')) {
    char *after;
    long exponent = strtol(s + 1, &after, 10);
    if (after != s + 1 && !space(s[1])) {
      s = after;
      scale += exponent > 9999 ? 9999 : exponent < -9999 ? -9999 : (int)exponent;
    }
  }
  if (end) *end = (char *)s;
  long double value = (long double)mantissa;
  if (mantissa) value = scale < 0 ? value / ten_to(-scale) : value * ten_to(scale);
  return negative ? -value : value;
}

double strtod(const char *restrict s, char **restrict end) { return (double)strtold(s, end); }
float strtof(const char *restrict s, char **restrict end) { return (float)strtold(s, end); }
double atof(const char *s) { return strtod(s, NULL); }

typedef int (*comparison)(const void *, const void *);

static void swap(char *a, char *b, size_t size) {
  for (size_t i = 0; i < size; i++) {
    char t = a[i];
    a[i] = b[i];
    b[i] = t;
  }
}

/* Insertion sort: n is small where elements are symbolic, and every swap is of neighbours. Stable, as glibc's is. */
void qsort(void *base, size_t n, size_t size, comparison compare) {
  char *a = base;
  for (size_t i = 1; i < n; i++)
    for (size_t j = i; j > 0 && compare(a + (j - 1) * size, a + j * size) > 0; j--)
      swap(a + (j - 1) * size, a + j * size, size);
}

void *bsearch(const void *key, const void *base, size_t n, size_t size, comparison compare) {
  const char *a = base;
  while (n > 0) {
    const char *middle = a + n / 2 * size;
    int order = compare(key, middle);
    if (order == 0) return (void *)middle;
    if (order > 0) {
      a = middle + size;
      n -= n / 2 + 1;
    } else {
      n /= 2;
    }
  }
  return NULL;
}

/* The generator of the C standard's example: deterministic, and the same on every machine. */
int rand_r(unsigned *state) {
  *state = *state * 1103515245u + 12345u;
  return (int)(*state / 65536 % 32768);
}

static unsigned random_state = 1;

int rand(void) { return rand_r(&random_state); }
void srand(unsigned seed) { random_state = seed; }
long random(void) { return ((long)rand() << 15 | rand()) & 0x3fffffff; }
void srandom(unsigned seed) { srand(seed); }

/* The environment is empty until it is modelled. */
char *getenv(const char *name) {
  (void)name;
  return NULL;
}
