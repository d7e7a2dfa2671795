// Found at its place, or null.
//@ output: 3 1
#include <stdio.h>
#include <stdlib.h>

static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

int main(void) {
  int a[] = {1, 4, 9, 16, 25}, key = 16, absent = 17;
  int *p = bsearch(&key, a, 5, sizeof *a, compare);
  printf("%d %d\n", (int)(p - a), bsearch(&absent, a, 5, sizeof *a, compare) == NULL);
  return 0;
}
