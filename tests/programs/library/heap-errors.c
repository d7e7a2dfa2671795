// What cannot be had says so: `errno`, and the results of the functions that return an error.
//@ revisions: O0 m32
//@ paths: 1 completed, 0 errored
//@ native: -fno-sanitize=address
//@ output: 1 ENOMEM
//@ output: 1 ENOMEM
//@ output: 1 ENOMEM
//@ output: 1 ENOMEM, kept
//@ output: EINVAL EINVAL EINVAL 0 ENOMEM
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static const char *name(int number) { return number == ENOMEM ? "ENOMEM" : number == EINVAL ? "EINVAL" : number ? "other" : "0"; }

int main(void) {
  volatile size_t most = SIZE_MAX - 100, half = SIZE_MAX / 2, three = 3;
  void *volatile p = NULL;
  errno = 0, p = malloc(most), printf("%d %s\n", p == NULL, name(errno));
  errno = 0, p = calloc(half, 3), printf("%d %s\n", p == NULL, name(errno));
  errno = 0, p = reallocarray(NULL, half, 3), printf("%d %s\n", p == NULL, name(errno));
  char *kept = malloc(1);
  *kept = 'k';
  errno = 0, p = realloc(kept, most), printf("%d %s, %s\n", p == NULL, name(errno), *kept == 'k' ? "kept" : "lost");
  void *q = NULL;
  printf("%s ", name(posix_memalign(&q, three, 10)));
  printf("%s ", name(posix_memalign(&q, 0, 10)));
  printf("%s ", name(posix_memalign(&q, 2, 10)));
  printf("%s ", name(posix_memalign(&q, 64, 10)));
  free(q);
  printf("%s\n", name(posix_memalign(&q, 64, most)));
  free(kept);
  return 0;
}
