// aligned_alloc, posix_memalign, reallocarray-like growth.
//@ output: 0 0 9 10
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  char *a = aligned_alloc(64, 128);
  void *b = 0;
  int r = posix_memalign(&b, 32, 10);
  int *c = 0;
  for (int i = 1; i <= 10; i++) {
    c = realloc(c, (size_t)i * sizeof *c);
    c[i - 1] = i;
  }
  printf("%d %d %d %d\n", (int)((uintptr_t)a % 64), (int)((uintptr_t)b % 32) + r, c[8], c[9]);
  free(a);
  free(b);
  free(c);
  free(0);
  return 0;
}
