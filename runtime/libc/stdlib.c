/* The part of <stdlib.h> (and of <inttypes.h>) that is ordinary C: numbers, sorting, random numbers.
 *
 * The heap, exit, abort and atexit are the engine's models. No locale, no errno: a number out of range saturates as C
 * says, but errno stays as it was.
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

/* The value of a digit in any base up to 36, or 99. */
static unsigned digit(char c) {
  if (c >= '0' && c <= '9') return (unsigned)(c - '0');
  if (c >= 'a' && c <= 'z') return (unsigned)(c - 'a') + 10;
  if (c >= 'A' && c <= 'Z') return (unsigned)(c - 'A') + 10;
  return 99;
}

static int space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/* What every strto* shares: sign and magnitude. `limit` is the largest magnitude that is not saturated. */
struct number {
  unsigned long long magnitude;
  int negative;
  int saturated;
};

static struct number scan(const char *s, char **end, int base, unsigned long long limit) {
  struct number r = {0, 0, 0};
  const char *start = s;
  int any = 0;
  while (space(*s)) s++;
  if (*s == '+' || *s == '-') r.negative = *s++ == '-';
  if ((base == 0 || base == 16) && s[0] == '0' && (s[1] == 'x' || s[1] == 'X') && digit(s[2]) < 16) {
    s += 2;
    base = 16;
  }
  if (base == 0) base = *s == '0' ? 8 : 10;
  for (; digit(*s) < (unsigned)base; s++) {
    unsigned d = digit(*s);
    any = 1;
    if (r.magnitude > (limit - d) / (unsigned)base) r.saturated = 1;
    else r.magnitude = r.magnitude * (unsigned)base + d;
  }
  if (r.saturated) r.magnitude = limit;
  if (end) *end = (char *)(any ? s : start);
  return r;
}

long long strtoll(const char *restrict s, char **restrict end, int base) {
  struct number r = scan(s, end, base, (unsigned long long)LLONG_MAX + 1);
  if (r.negative) return (long long)(0 - r.magnitude);
  return r.magnitude > LLONG_MAX ? LLONG_MAX : (long long)r.magnitude;
}

unsigned long long strtoull(const char *restrict s, char **restrict end, int base) {
  struct number r = scan(s, end, base, ULLONG_MAX);
  return r.negative && !r.saturated ? 0 - r.magnitude : r.magnitude;
}

long strtol(const char *restrict s, char **restrict end, int base) {
  long long r = strtoll(s, end, base);
  if (r > LONG_MAX) return LONG_MAX;
  return r < LONG_MIN ? LONG_MIN : (long)r;
}

unsigned long strtoul(const char *restrict s, char **restrict end, int base) {
  struct number r = scan(s, end, base, ULONG_MAX);
  return (unsigned long)(r.negative && !r.saturated ? 0 - r.magnitude : r.magnitude);
}

int atoi(const char *s) { return (int)strtol(s, NULL, 10); }
long atol(const char *s) { return strtol(s, NULL, 10); }
long long atoll(const char *s) { return strtoll(s, NULL, 10); }

/* glibc's headers rename the strto* functions to these when they compile for C23. */
long __isoc23_strtol(const char *restrict s, char **restrict end, int base) { return strtol(s, end, base); }
unsigned long __isoc23_strtoul(const char *restrict s, char **restrict end, int base) { return strtoul(s, end, base); }
long long __isoc23_strtoll(const char *restrict s, char **restrict end, int base) { return strtoll(s, end, base); }
unsigned long long __isoc23_strtoull(const char *restrict s, char **restrict end, int base) {
  return strtoull(s, end, base);
}

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
