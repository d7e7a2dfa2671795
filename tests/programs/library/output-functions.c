// puts, putchar, fputs, fwrite, fprintf: in order.
//@ output: one
//@ output: two three four!
#include <stdio.h>

int main(void) {
  puts("one");
  fputs("two ", stdout);
  fwrite("three-", 1, 5, stdout);
  fprintf(stdout, " %s", "four");
  putchar('!');
  putc('\n', stdout);
  fflush(stdout);
  return 0;
}
