/* <string.h> and <strings.h> for programs under symbolic execution.
 *
 * Byte loops only: a wide load across a terminator would be an out-of-bounds read, and a trick that saves cycles makes
 * terms that cost queries. Compiled with -fno-builtin, else the compiler turns memcpy's loop into a call of memcpy.
 */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef unsigned char byte;

void *memcpy(void *restrict dst, const void *restrict src, size_t n) {
  byte *d = dst;
  const byte *s = src;
  for (size_t i = 0; i < n; i++) d[i] = s[i];
  return dst;
}

void *mempcpy(void *restrict dst, const void *restrict src, size_t n) { return (byte *)memcpy(dst, src, n) + n; }

void *memmove(void *dst, const void *src, size_t n) {
  byte *d = dst;
  const byte *s = src;
  if (d <= s) {
    for (size_t i = 0; i < n; i++) d[i] = s[i];
  } else {
    for (size_t i = n; i > 0; i--) d[i - 1] = s[i - 1];
  }
  return dst;
}

void *memset(void *dst, int c, size_t n) {
  byte *d = dst;
  for (size_t i = 0; i < n; i++) d[i] = (byte)c;
  return dst;
}

void bzero(void *dst, size_t n) { memset(dst, 0, n); }

int memcmp(const void *a, const void *b, size_t n) {
  const byte *x = a, *y = b;
  for (size_t i = 0; i < n; i++)
    if (x[i] != y[i]) return x[i] - y[i];
  return 0;
}

int bcmp(const void *a, const void *b, size_t n) { return memcmp(a, b, n); }

void *memchr(const void *p, int c, size_t n) {
  const byte *s = p;
  for (size_t i = 0; i < n; i++)
    if (s[i] == (byte)c) return (void *)(s + i);
  return NULL;
}

void *memrchr(const void *p, int c, size_t n) {
  const byte *s = p;
  for (size_t i = n; i > 0; i--)
    if (s[i - 1] == (byte)c) return (void *)(s + i - 1);
  return NULL;
}

void *rawmemchr(const void *p, int c) {
  const byte *s = p;
  while (*s != (byte)c) s++;
  return (void *)s;
}

void *memmem(const void *hay, size_t hay_len, const void *needle, size_t needle_len) {
  const byte *h = hay;
  for (size_t i = 0; i + needle_len <= hay_len; i++)
    if (memcmp(h + i, needle, needle_len) == 0) return (void *)(h + i);
  return NULL;
}

size_t strlen(const char *s) {
  size_t n = 0;
  while (s[n]) n++;
  return n;
}

size_t strnlen(const char *s, size_t max) {
  size_t n = 0;
  while (n < max && s[n]) n++;
  return n;
}

char *stpcpy(char *restrict dst, const char *restrict src) {
  while ((*dst = *src)) dst++, src++;
  return dst;
}

char *strcpy(char *restrict dst, const char *restrict src) {
  stpcpy(dst, src);
  return dst;
}

char *stpncpy(char *restrict dst, const char *restrict src, size_t n) {
  size_t i = 0;
  for (; i < n && src[i]; i++) dst[i] = src[i];
  char *end = dst + i;
  for (; i < n; i++) dst[i] = 0;
  return end;
}

char *strncpy(char *restrict dst, const char *restrict src, size_t n) {
  stpncpy(dst, src, n);
  return dst;
}

char *strcat(char *restrict dst, const char *restrict src) {
  strcpy(dst + strlen(dst), src);
  return dst;
}

char *strncat(char *restrict dst, const char *restrict src, size_t n) {
  char *end = dst + strlen(dst);
  while (n-- && *src) *end++ = *src++;
  *end = 0;
  return dst;
}

size_t strlcpy(char *restrict dst, const char *restrict src, size_t size) {
  size_t n = strlen(src);
  if (size) {
    size_t keep = n < size ? n : size - 1;
    memcpy(dst, src, keep);
    dst[keep] = 0;
  }
  return n;
}

size_t strlcat(char *restrict dst, const char *restrict src, size_t size) {
  size_t n = strnlen(dst, size);
  return n == size ? n + strlen(src) : n + strlcpy(dst + n, src, size - n);
}

int strcmp(const char *a, const char *b) {
  while (*a && *a == *b) a++, b++;
  return (byte)*a - (byte)*b;
}

int strncmp(const char *a, const char *b, size_t n) {
  if (n == 0) return 0;
  while (--n && *a && *a == *b) a++, b++;
  return (byte)*a - (byte)*b;
}

int strcoll(const char *a, const char *b) { return strcmp(a, b); }

static int lower(char c) { return c >= 'A' && c <= 'Z' ? c + 32 : (byte)c; }

int strcasecmp(const char *a, const char *b) {
  while (*a && lower(*a) == lower(*b)) a++, b++;
  return lower(*a) - lower(*b);
}

int strncasecmp(const char *a, const char *b, size_t n) {
  if (n == 0) return 0;
  while (--n && *a && lower(*a) == lower(*b)) a++, b++;
  return lower(*a) - lower(*b);
}

char *strchrnul(const char *s, int c) {
  while (*s && *s != (char)c) s++;
  return (char *)s;
}

char *strchr(const char *s, int c) {
  s = strchrnul(s, c);
  return *s == (char)c ? (char *)s : NULL;
}

char *index(const char *s, int c) { return strchr(s, c); }

char *strrchr(const char *s, int c) {
  const char *last = NULL;
  do {
    if (*s == (char)c) last = s;
  } while (*s++);
  return (char *)last;
}

char *rindex(const char *s, int c) { return strrchr(s, c); }

char *strstr(const char *hay, const char *needle) {
  size_t n = strlen(needle);
  for (;; hay++) {
    if (strncmp(hay, needle, n) == 0) return (char *)hay;
    if (!*hay) return NULL;
  }
}

char *strcasestr(const char *hay, const char *needle) {
  size_t n = strlen(needle);
  for (;; hay++) {
    if (strncasecmp(hay, needle, n) == 0) return (char *)hay;
    if (!*hay) return NULL;
  }
}

size_t strspn(const char *s, const char *accept) {
  size_t n = 0;
  while (s[n] && strchr(accept, s[n])) n++;
  return n;
}

size_t strcspn(const char *s, const char *reject) {
  size_t n = 0;
  while (s[n] && !strchr(reject, s[n])) n++;
  return n;
}

char *strpbrk(const char *s, const char *accept) {
  s += strcspn(s, accept);
  return *s ? (char *)s : NULL;
}

char *strtok_r(char *restrict s, const char *restrict delimiters, char **restrict rest) {
  if (!s) s = *rest;
  s += strspn(s, delimiters);
  if (!*s) {
    *rest = s;
    return NULL;
  }
  char *end = s + strcspn(s, delimiters);
  *rest = *end ? end + 1 : end;
  *end = 0;
  return s;
}

char *strtok(char *restrict s, const char *restrict delimiters) {
  static char *rest;
  return strtok_r(s, delimiters, &rest);
}

char *strsep(char **restrict s, const char *restrict delimiters) {
  char *token = *s;
  if (!token) return NULL;
  char *end = token + strcspn(token, delimiters);
  *s = *end ? end + 1 : NULL;
  *end = 0;
  return token;
}

char *strndup(const char *s, size_t max) {
  size_t n = strnlen(s, max);
  char *copy = malloc(n + 1);
  if (!copy) return NULL;
  memcpy(copy, s, n);
  copy[n] = 0;
  return copy;
}

char *strdup(const char *s) { return strndup(s, (size_t)-1); }
