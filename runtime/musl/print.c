/* Printing to standard output and error. What depends on inputs is formatted when the path is over (crates/env/src/stdio.rs),
 * because every digit of an unknown number would be a path of its own. All else is the library's own code. */
#include "stdio_impl.h"
#include <stdarg.h>
#include <string.h>

/* Whether the text depends on inputs, goes out of the process, and nobody looks at the returned length. */
int taw_prints_late(int fd, const char *format, va_list args);
int taw_print_late(int fd, const char *format, va_list args);

/* The library's, under another name. */
int __libc_vfprintf(FILE *restrict f, const char *restrict format, va_list args);

static int leaves(FILE *f) { return f == stdout || f == stderr; }

int vfprintf(FILE *restrict f, const char *restrict format, va_list args) {
  if (leaves(f)) {
    va_list copy;
    va_copy(copy, args);
    int late = taw_prints_late(f->fd, format, copy);
    va_end(copy);
    if (late) {
      fflush(f);
      return taw_print_late(f->fd, format, args);
    }
  }
  return __libc_vfprintf(f, format, args);
}

static int put_late(FILE *f, const char *format, ...) {
  va_list args;
  va_start(args, format);
  int late = leaves(f) && taw_prints_late(f->fd, format, args);
  va_end(args);
  if (!late) return 0;
  fflush(f);
  va_start(args, format);
  taw_print_late(f->fd, format, args);
  va_end(args);
  return 1;
}

int fputs(const char *restrict s, FILE *restrict f) {
  if (put_late(f, "%s", s)) return 0;
  size_t length = strlen(s);
  return (fwrite(s, 1, length, f) == length) - 1;
}
weak_alias(fputs, fputs_unlocked);

int puts(const char *s) {
  if (put_late(stdout, "%s\n", s)) return 0;
  FLOCK(stdout);
  int result = -(fputs(s, stdout) < 0 || putc_unlocked('\n', stdout) < 0);
  FUNLOCK(stdout);
  return result;
}
