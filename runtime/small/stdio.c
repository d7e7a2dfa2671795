/* What is left of <stdio.h> when output is the engine's model: the three streams, and input that is always at its end.
 *
 * printf and its family, puts, putchar, fputs, fputc, fwrite are models in Rust. There is no model of standard input
 * yet: every reading function answers end of file, which is what a program sees that is started with </dev/null.
 */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#undef stdin
#undef stdout
#undef stderr
#undef putc
#undef getc
#undef getchar

/* FILE is opaque to the program under test; a stream is known by its address alone. */
static char streams[3];
FILE *stdin = (FILE *)&streams[0];
FILE *stdout = (FILE *)&streams[1];
FILE *stderr = (FILE *)&streams[2];

int putc(int c, FILE *stream) { return fputc(c, stream); }
int _IO_putc(int c, FILE *stream) { return fputc(c, stream); }
int putchar_unlocked(int c) { return putchar(c); }
int putc_unlocked(int c, FILE *stream) { return fputc(c, stream); }
int fputc_unlocked(int c, FILE *stream) { return fputc(c, stream); }
int fputs_unlocked(const char *restrict s, FILE *restrict stream) { return fputs(s, stream); }

void perror(const char *what) {
  if (what && *what) {
    fputs(what, stderr);
    fputs(": ", stderr);
  }
  fputs(strerror(0), stderr);
  fputc('\n', stderr);
}

int fflush(FILE *stream) { return (void)stream, 0; }
int fclose(FILE *stream) { return (void)stream, 0; }
int ferror(FILE *stream) { return (void)stream, 0; }
int feof(FILE *stream) { return stream == stdin; }
void clearerr(FILE *stream) { (void)stream; }
int setvbuf(FILE *restrict stream, char *restrict buffer, int mode, size_t size) {
  return (void)stream, (void)buffer, (void)mode, (void)size, 0;
}
void setbuf(FILE *restrict stream, char *restrict buffer) { (void)stream, (void)buffer; }
int fileno(FILE *stream) { return stream == stdin ? 0 : stream == stdout ? 1 : 2; }

/* No files: opening fails. */
FILE *fopen(const char *restrict path, const char *restrict mode) { return (void)path, (void)mode, NULL; }

int getchar(void) { return EOF; }
int getchar_unlocked(void) { return EOF; }
int fgetc(FILE *stream) { return (void)stream, EOF; }
int getc(FILE *stream) { return (void)stream, EOF; }
int _IO_getc(FILE *stream) { return (void)stream, EOF; }
int ungetc(int c, FILE *stream) { return (void)c, (void)stream, EOF; }
char *fgets(char *restrict s, int n, FILE *restrict stream) { return (void)s, (void)n, (void)stream, NULL; }
size_t fread(void *restrict p, size_t size, size_t n, FILE *restrict stream) {
  return (void)p, (void)size, (void)n, (void)stream, 0;
}

/* Twice each: glibc's headers send `scanf` to a name of its own, which depends on the language standard. */
int scanf(const char *restrict format, ...) { return (void)format, EOF; }
int fscanf(FILE *restrict stream, const char *restrict format, ...) { return (void)stream, (void)format, EOF; }
int __isoc23_scanf(const char *restrict format, ...) { return (void)format, EOF; }
int __isoc23_fscanf(FILE *restrict stream, const char *restrict format, ...) { return (void)stream, (void)format, EOF; }
