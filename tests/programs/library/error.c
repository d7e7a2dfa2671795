// GNU's error: a message with the words for an error number, counted; with a status it is the end.
//@ native: none
//@ paths: 1 completed, 0 errored
//@ output: program: cannot open 'x': No such file or directory
//@ output: program:file.c:7: odd
//@ output: count 2
//@ output: program: the end
#include <errno.h>
#include <error.h>
#include <stdio.h>

int main(void) {
  error(0, ENOENT, "cannot open '%s'", "x");
  error_one_per_line = 1;
  for (int i = 0; i < 2; i++) error_at_line(0, 0, "file.c", 7, "odd");
  printf("count %u\n", error_message_count);
  error(3, 0, "the end");
  return 0;
}
