// Pointers sorted by what they point to.
//@ output: apple fig pear plum
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

int main(void) {
  const char *words[] = {"pear", "apple", "plum", "fig"};
  qsort(words, 4, sizeof *words, compare);
  printf("%s %s %s %s\n", words[0], words[1], words[2], words[3]);
  return 0;
}
