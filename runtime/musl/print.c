/* Printing to standard output and error. The text of a number that depends on inputs is made when the path is over
 * (crates/env/src/late.rs), because every digit would be a path of its own: until then bytes stand in for it in the stream's
 * buffer, as many as the text may have. All else is the library's own code: what is read, counted and written, and when. */
#include "stdio_impl.h"
#include <stdarg.h>
#include <stdint.h>

/* Whether nobody counts what is printed, so that numbers may be printed late. */
int taw_prints_late(int fd, const char *format);
/* A byte that stands in for the text, and one that stands for nothing; how many bytes the text may have, or 0: it is not late. */
int taw_late_integer(unsigned char stand_in[2], int conversion, unsigned flags, int width, int precision, uintmax_t value);
int taw_late_float(unsigned char stand_in[2], int conversion, unsigned flags, int width, int precision, long double value,
                   int is_long);
/* Who makes the next write: a buffer that is full or is flushed; or nobody. */
void taw_stream_writes(FILE *f, int spills);

/* The library's, under other names. */
int __libc_vfprintf(FILE *restrict f, const char *restrict format, va_list args);
hidden size_t __libc_stdio_write(FILE *f, const unsigned char *bytes, size_t n);

/* What numbers may be printed to late. */
static FILE *late;
/* The buffer that standard output has unless the program gives it another, which the program may then look at. */
static unsigned char *own;

__attribute__((constructor(1))) static void note(void) { own = stdout->buf; }

int vfprintf(FILE *restrict f, const char *restrict format, va_list args) {
  FILE *before = late;
  /* Of wide text the caller counts. */
  int console = f->mode <= 0 && (f == stderr || (f == stdout && (!f->buf_size || f->buf == own)));
  late = console && taw_prints_late(f->fd, format) ? f : 0;
  int result = __libc_vfprintf(f, format, args);
  late = before;
  return result;
}

/* Called by musl's vfprintf for every number (scripts/musl.sh puts the call there); whether it is done. */
hidden int __taw_number(FILE *f, int conversion, unsigned flags, int width, int precision, uintmax_t integer, long double real,
                        int is_long) {
  unsigned char stand_in[2];
  int room = 0;
  if (!f || f != late) return 0;
  switch (conversion) {
    case 'd': case 'i': case 'u': case 'x': case 'X': case 'o':
      room = taw_late_integer(stand_in, conversion, flags, width, precision, integer);
      break;
    case 'e': case 'f': case 'g': case 'a': case 'E': case 'F': case 'G': case 'A':
      room = taw_late_float(stand_in, conversion, flags, width, precision, real, is_long);
      break;
  }
  for (int i = 0; i < room && !(f->flags & F_ERR); i++) {
    if (f->wpos != f->wend) *f->wpos++ = stand_in[i > 0];
    else f->write(f, stand_in + (i > 0), 1);
  }
  return room > 0;
}

/* How large a buffer is natively, nobody says; so when a full one is written is not known. A byte stays in it: it is written when
 * the stream is flushed, as it would be natively, and from then on all is known again. */
hidden size_t __stdio_write(FILE *f, const unsigned char *bytes, size_t n) {
  int spills = n > 0 && f->buf_size > 0 && n > (size_t)(f->wend - f->wpos);
  taw_stream_writes(f, spills);
  size_t done = __libc_stdio_write(f, bytes, n - spills);
  taw_stream_writes(0, 0);
  if (!spills || done < n - 1 || !f->wpos) return done;
  *f->wpos++ = bytes[n - 1];
  return n;
}
