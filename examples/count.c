/* Counts the words or lines (-l) of standard input, and has an option too many. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  int lines = argc > 1 && strcmp(argv[1], "-l") == 0, before = ' ', n = 0, c;
  if (argc > 1 && strcmp(argv[1], "-x") == 0) abort();
  while ((c = getchar()) != EOF) {
    if (lines ? c == '\n' : isspace(before) && !isspace(c)) n++;
    before = c;
  }
  printf("%d\n", n);
  return 0;
}
