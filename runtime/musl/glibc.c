/* Names that glibc's headers use, for bitcode that was compiled against them: checked and renamed versions of functions. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FORWARD(result, call) \
  va_list args;               \
  va_start(args, format);     \
  result r = call;            \
  va_end(args);               \
  return r

int __printf_chk(int flag, const char *format, ...) { FORWARD(int, vprintf(format, args)); }
int __fprintf_chk(FILE *f, int flag, const char *format, ...) { FORWARD(int, vfprintf(f, format, args)); }
int __vprintf_chk(int flag, const char *format, va_list args) { return vprintf(format, args); }
int __vfprintf_chk(FILE *f, int flag, const char *format, va_list args) { return vfprintf(f, format, args); }
int __sprintf_chk(char *s, int flag, size_t size, const char *format, ...) { FORWARD(int, vsprintf(s, format, args)); }
int __snprintf_chk(char *s, size_t n, int flag, size_t size, const char *format, ...) {
  FORWARD(int, vsnprintf(s, n, format, args));
}
int __vsnprintf_chk(char *s, size_t n, int flag, size_t size, const char *format, va_list args) {
  return vsnprintf(s, n, format, args);
}

int __isoc99_scanf(const char *format, ...) { FORWARD(int, vscanf(format, args)); }
int __isoc99_fscanf(FILE *f, const char *format, ...) { FORWARD(int, vfscanf(f, format, args)); }
int __isoc99_sscanf(const char *s, const char *format, ...) { FORWARD(int, vsscanf(s, format, args)); }
int __isoc23_scanf(const char *format, ...) { FORWARD(int, vscanf(format, args)); }
int __isoc23_fscanf(FILE *f, const char *format, ...) { FORWARD(int, vfscanf(f, format, args)); }
int __isoc23_sscanf(const char *s, const char *format, ...) { FORWARD(int, vsscanf(s, format, args)); }

#undef getc
#undef putc
int _IO_getc(FILE *f) { return getc(f); }
int _IO_putc(int c, FILE *f) { return putc(c, f); }

char *__strcpy_chk(char *to, const char *from, size_t size) { return strcpy(to, from); }
char *__strncpy_chk(char *to, const char *from, size_t n, size_t size) { return strncpy(to, from, n); }
char *__strcat_chk(char *to, const char *from, size_t size) { return strcat(to, from); }
char *__strncat_chk(char *to, const char *from, size_t n, size_t size) { return strncat(to, from, n); }
char *__fgets_chk(char *s, size_t size, int n, FILE *f) { return fgets(s, n, f); }
ssize_t __read_chk(int fd, void *buffer, size_t n, size_t size) { return read(fd, buffer, n); }
