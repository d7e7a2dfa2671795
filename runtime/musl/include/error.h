/* GNU's error and error_at_line, which musl leaves to others (runtime/musl/error.c). */
#ifndef _ERROR_H
#define _ERROR_H

#ifdef __cplusplus
extern "C" {
#endif

/* Says who speaks; if there is none, the program's name is printed. */
extern void (*error_print_progname)(void);
/* How many messages there were. */
extern unsigned int error_message_count;
/* Whether a place is told of once only. */
extern int error_one_per_line;

void error(int status, int error_number, const char *format, ...) __attribute__((__format__(__printf__, 3, 4)));
void error_at_line(int status, int error_number, const char *file, unsigned int line, const char *format, ...)
    __attribute__((__format__(__printf__, 5, 6)));

#ifdef __cplusplus
}
#endif

#endif
