/* Reading whole numbers: strtol and its family as plain loops, for the whole library's go through a stream and a table per
 * character. `errno` as musl sets it: ERANGE out of range, EINVAL for no number or a wrong base.
 */
#include <errno.h>
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

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
  if (base < 0 || base == 1 || base > 36) {
    if (end) *end = (char *)start;
    errno = EINVAL;
    return r;
  }
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
  if (r.saturated) {
    r.magnitude = limit;
    errno = ERANGE;
  }
  if (!any) errno = EINVAL;
  if (end) *end = (char *)(any ? s : start);
  return r;
}

long long strtoll(const char *restrict s, char **restrict end, int base) {
  struct number r = scan(s, end, base, (unsigned long long)LLONG_MAX + 1);
  if (r.negative) return (long long)(0 - r.magnitude);
  if (r.magnitude <= LLONG_MAX) return (long long)r.magnitude;
  errno = ERANGE;
  return LLONG_MAX;
}

unsigned long long strtoull(const char *restrict s, char **restrict end, int base) {
  struct number r = scan(s, end, base, ULLONG_MAX);
  return r.negative && !r.saturated ? 0 - r.magnitude : r.magnitude;
}

long strtol(const char *restrict s, char **restrict end, int base) {
  long long r = strtoll(s, end, base);
  if (r >= LONG_MIN && r <= LONG_MAX) return (long)r;
  errno = ERANGE;
  return r < 0 ? LONG_MIN : LONG_MAX;
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
