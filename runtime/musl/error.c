/* GNU's error and error_at_line: a message on standard error, with the words for an error number, and perhaps the end. */
#include <errno.h>
#include <error.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void (*error_print_progname)(void);
unsigned int error_message_count;
int error_one_per_line;

static void introduce(const char *behind) {
  fflush(stdout);
  if (error_print_progname) error_print_progname();
  else fprintf(stderr, "%s%s", program_invocation_name, behind);
}

static void say(int status, int error_number, const char *format, va_list args) {
  vfprintf(stderr, format, args);
  error_message_count++;
  if (error_number) fprintf(stderr, ": %s", strerror(error_number));
  putc('\n', stderr);
  fflush(stderr);
  if (status) exit(status);
}

void error(int status, int error_number, const char *format, ...) {
  va_list args;
  introduce(": ");
  va_start(args, format);
  say(status, error_number, format, args);
  va_end(args);
}

void error_at_line(int status, int error_number, const char *file, unsigned int line, const char *format, ...) {
  static const char *last_file;
  static unsigned int last_line;
  va_list args;
  if (error_one_per_line) {
    int same = last_line == line && (last_file == file || (last_file && file && !strcmp(last_file, file)));
    if (same) return;
    last_file = file;
    last_line = line;
  }
  introduce(":");
  if (file) fprintf(stderr, "%s:%u: ", file, line);
  else putc(' ', stderr);
  va_start(args, format);
  say(status, error_number, format, args);
  va_end(args);
}
