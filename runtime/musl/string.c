/* String functions that musl calls by names of its own and reads whole words in: here they are those of runtime/libc, byte by byte. */
#include <string.h>

char *__strchrnul(const char *s, int c) {
  while (*s && *s != (char)c) s++;
  return (char *)s;
}

char *__stpcpy(char *restrict to, const char *restrict from) {
  while ((*to = *from++)) to++;
  return to;
}

char *__stpncpy(char *restrict to, const char *restrict from, size_t n) {
  for (; n && (*to = *from); n--, to++, from++);
  memset(to, 0, n);
  return to;
}

void *memccpy(void *restrict to, const void *restrict from, int c, size_t n) {
  unsigned char *d = to;
  const unsigned char *s = from;
  for (; n; n--)
    if ((*d++ = *s++) == (unsigned char)c) return d;
  return NULL;
}
